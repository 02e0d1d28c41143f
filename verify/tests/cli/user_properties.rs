//! `--assert-at` and `--unreachable`. Programs mark the lines that options are about by `/*A*/`, `/*B*/` and so on: `m.c:A` is the
//! line of `m.c` with that mark.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common::{VERIFY, assert_refused, code, last_line, stderr, stdout};

/// Files in a folder of their own.
struct Folder(tempfile::TempDir);

impl Folder {
    fn of(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().expect("a temporary directory"));
        for (name, text) in files {
            let path = folder.path().join(name);
            let parent = path.parent().expect("it is in the folder");
            fs::create_dir_all(parent).expect("the folder is writable");
            fs::write(path, text).expect("the folder is writable");
        }
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs in the folder; the words of the options are separated by `@`.
    fn verify(&self, options: &str) -> Output {
        let words = options.split('@').map(|word| self.with_line(word));
        Command::new(VERIFY)
            .args(words)
            .current_dir(self.path())
            .stdin(Stdio::null())
            .output()
            .expect("the binary runs")
    }

    /// A word with the number of a line instead of its mark, if it ends in one.
    fn with_line(&self, word: &str) -> String {
        let Some((file, mark)) = word.split_once(':') else {
            return word.to_owned();
        };
        let text = fs::read_to_string(self.path().join(file)).unwrap_or_default();
        let mark = format!("/*{mark}*/");
        match text.lines().position(|line| line.contains(&mark)) {
            Some(position) => format!("{file}:{}", position + 1),
            None => word.to_owned(),
        }
    }

    fn assert_safe(&self, options: &str) {
        let output = self.verify(options);
        let line = last_line(&output);
        assert_eq!(line, "VERDICT: SAFE", "{options}: {}", stderr(&output));
        assert_eq!(code(&output), 0);
    }

    /// `what` is violated at the place of a mark.
    fn assert_unsafe(&self, options: &str, what: &str, place: &str) {
        let output = self.verify(options);
        let expected = format!("VERDICT: UNSAFE ({what}) at {}", self.with_line(place));
        assert_eq!(
            last_line(&output),
            expected,
            "{options}: {}",
            stderr(&output)
        );
        assert_eq!(code(&output), 10);
    }

    fn assert_refused(&self, options: &str, words: &[&str]) {
        assert_refused(&self.verify(options), 2, words);
    }
}

fn program(source: &str) -> Folder {
    Folder::of(&[("m.c", source)])
}

/// Each demand that is met, and each that is not, with what is violated and where.
fn assert_demands(folder: &Folder, met: &[&str], violated: &[(&str, &str, &str)]) {
    for options in met {
        folder.assert_safe(&format!("m.c@{options}"));
    }
    for (options, what, place) in violated {
        folder.assert_unsafe(&format!("m.c@{options}"), what, place);
    }
}

const REACHED: &str = "reached, though --unreachable";

#[test]
fn a_demand_is_about_the_state_before_the_statement() {
    let folder = program(
        "int main(void) {
  int x = 1;
  x = x + 1; /*A*/
  x = x + 1; /*B*/
  return x; /*C*/
}
",
    );
    assert_demands(
        &folder,
        &[
            "--assert-at@m.c:A@x == 1",
            "--assert-at@m.c:B@x == 2",
            "--assert-at@m.c:C@x == 3",
            "--assert-at@m.c:C@x",
            "--assert-at@m.c:A@x == 1@--assert-at@m.c:A@x > 0@--assert-at@m.c:B@x == 2",
        ],
        &[
            ("--assert-at@m.c:A@x == 2", "assertion \"x == 2\"", "m.c:A"),
            ("--assert-at@m.c:B@x == 1", "assertion \"x == 1\"", "m.c:B"),
            ("--assert-at@m.c:C@-x > 0", "assertion \"-x > 0\"", "m.c:C"),
            ("--assert-at@m.c:C@!x", "assertion \"!x\"", "m.c:C"),
            (
                "--assert-at@m.c:A@x == 1@--assert-at@m.c:A@x > 1",
                "assertion \"x > 1\"",
                "m.c:A",
            ),
            ("--unreachable@m.c:B", REACHED, "m.c:B"),
        ],
    );
}

/// The bodies of `if`, `else` and loops without braces stay what they are, and so does what an `else` belongs to.
const BODIES: &str = "#include <assert.h>
int main(void) {
  int sum = 0, odd = 0, other = 0;
  for (int i = 0; i < 4; i++)
    if (i % 2) /*A*/
      odd += i; /*B*/
    else if (i == 2) /*C*/
      sum += 10; /*D*/
    else
      other++; /*E*/
  while (sum < 12)
    sum++; /*F*/
  do
    sum++; /*G*/
  while (sum < 14);
  if (sum)
    if (odd == 5)
      other = 9; /*H*/
    else
      other = 2; /*I*/
  assert(odd == 4 && sum == 14 && other == 2); /*J*/
  return 0;
}
";

#[test]
fn bodies_without_braces_stay_what_they_are() {
    let folder = program(BODIES);
    folder.assert_safe("m.c");
    assert_demands(
        &folder,
        &[
            "--assert-at@m.c:A@0 <= i && i < 4",
            "--assert-at@m.c:B@i == 1 || i == 3",
            "--assert-at@m.c:C@i == 0 || i == 2",
            "--assert-at@m.c:D@i == 2 && sum == 0",
            "--assert-at@m.c:E@i == 0",
            "--assert-at@m.c:F@sum < 12",
            "--assert-at@m.c:G@sum == 12 || sum == 13",
            "--unreachable@m.c:H",
            "--assert-at@m.c:I@odd == 4",
            "--assert-at@m.c:J@sum == 14",
            "--assert-at@m.c:A@1@--assert-at@m.c:B@1@--assert-at@m.c:C@1@--assert-at@m.c:D@1@--assert-at@m.c:E@1@\
             --assert-at@m.c:F@1@--assert-at@m.c:G@1@--assert-at@m.c:I@1@--unreachable@m.c:H",
        ],
        &[
            ("--assert-at@m.c:A@i < 3", "assertion \"i < 3\"", "m.c:A"),
            ("--assert-at@m.c:B@i == 1", "assertion \"i == 1\"", "m.c:B"),
            ("--assert-at@m.c:C@i == 0", "assertion \"i == 0\"", "m.c:C"),
            ("--unreachable@m.c:D", REACHED, "m.c:D"),
            ("--unreachable@m.c:E", REACHED, "m.c:E"),
            (
                "--assert-at@m.c:F@sum < 11",
                "assertion \"sum < 11\"",
                "m.c:F",
            ),
            (
                "--assert-at@m.c:G@sum == 12",
                "assertion \"sum == 12\"",
                "m.c:G",
            ),
            ("--unreachable@m.c:I", REACHED, "m.c:I"),
            ("--assert-at@m.c:J@!odd", "assertion \"!odd\"", "m.c:J"),
        ],
    );
}

/// A label stands for the statement behind it, also where control comes from before it.
const LABELS: &str = "#include <assert.h>
static int choose(int a) {
  int b = 0;
  switch (a) {
  case 1: /*A*/
  case 2: b = 3; /*B*/
    break;
  case 3: /*C*/
    b = 4;
    __attribute__((fallthrough));
  default: /*D*/
    b += 5; /*E*/
  }
  if (a == 9)
    goto out;
  b++;
out: /*F*/
  return b; /*G*/
}
int main(void) {
  assert(choose(1) == 4);
  assert(choose(2) == 4);
  assert(choose(3) == 10);
  assert(choose(9) == 5);
  return 0;
}
";

#[test]
fn labels_stay_in_front() {
    let folder = program(LABELS);
    folder.assert_safe("m.c");
    assert_demands(
        &folder,
        &[
            "--assert-at@m.c:A@a == 1",
            "--assert-at@m.c:B@a == 1 || a == 2",
            "--assert-at@m.c:C@a == 3",
            "--assert-at@m.c:D@b == 4 || a == 9",
            "--assert-at@m.c:E@b == 4 || a == 9",
            "--assert-at@m.c:F@b == 4 || b == 10 || b == 5",
        ],
        &[
            ("--unreachable@m.c:A", REACHED, "m.c:A"),
            ("--assert-at@m.c:B@a == 2", "assertion \"a == 2\"", "m.c:B"),
            ("--assert-at@m.c:D@a == 9", "assertion \"a == 9\"", "m.c:E"),
            ("--assert-at@m.c:F@a != 9", "assertion \"a != 9\"", "m.c:G"),
        ],
    );
}

/// Macros may begin a loop, or have an `if` at their end.
const MACROS: &str = "#include <assert.h>
#define EACH(i) for (int i = 0; i < 3; i++)
#define UNLESS(x) if (!(x)) continue
#define SQUARE(x) ((x) * (x))
#define BYTE(x) ((byte)(x))
#define LIMIT 7
#define BUMP calls++
typedef unsigned char byte;
static int calls;
static int call(int x) {
  calls++; /*E*/
  return x;
}
int main(void) {
  int sum = 0;
  EACH(i) /*A*/
    sum++; /*B*/
  for (int i = 0; i < 3; i++) {
    UNLESS(i); /*C*/
    sum += 2;
  }
  assert(sum == 7); /*D*/
  call(1);
  return 0;
}
";

#[test]
fn macros_are_looked_through() {
    let folder = program(MACROS);
    assert_demands(
        &folder,
        &[
            "--assert-at@m.c:A@sum == 0",
            "--assert-at@m.c:C@i < 3",
            "--assert-at@m.c:D@SQUARE(sum) == 49 && sum == LIMIT",
            "--assert-at@m.c:D@BYTE(sum + 256) == 7 && (byte)(sum + 256) == sum",
        ],
        &[
            (
                "--assert-at@m.c:C@sum < 5",
                "assertion \"sum < 5\"",
                "m.c:C",
            ),
            (
                "--assert-at@m.c:D@SQUARE(sum) < 49",
                "assertion \"SQUARE(sum) < 49\"",
                "m.c:D",
            ),
        ],
    );
    // The loop is one statement for the parser; what it executes is no line of its own.
    folder.assert_refused(
        "m.c@--unreachable@m.c:B",
        &["no statement", "nearest lines"],
    );
    for (expression, words) in [
        ("BUMP", ["`calls++` changes the program", "BUMP"]),
        ("call(1)", ["`call(1)` is a call", "--assert-at m.c:22"]),
        (
            "(call)(1) == 1",
            ["unknown type name 'call'", "--assert-at m.c:22"],
        ),
        ("LIMIT = 3", ["changes the program", "leave it out"]),
    ] {
        folder.assert_refused(&format!("m.c@--assert-at@m.c:D@{expression}"), &words);
    }
}

/// A thread writes while the main thread looks.
const THREADS: &str = "#include <pthread.h>
static int shared, twin;
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static void *run(void *argument) {
  for (int i = 0; i < 2; i++) {
    __VERIFIER_atomic_begin();
    shared = i; /*A*/
    twin = i; /*B*/
    __VERIFIER_atomic_end(); /*C*/
  }
  return argument; /*D*/
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  int seen = shared; /*E*/
  pthread_join(thread, 0);
  return seen == 2; /*F*/
}
";

#[test]
fn other_threads_are_seen_and_do_not_come_between() {
    let folder = program(THREADS);
    for engine in ["explicit", "bmc"] {
        let engine = &format!("--engine@{engine}");
        folder.assert_unsafe(
            &format!("m.c@--assert-at@m.c:E@shared == 0@{engine}"),
            "assertion \"shared == 0\"",
            "m.c:E",
        );
        folder.assert_unsafe(
            &format!("m.c@--assert-at@m.c:B@shared == twin@{engine}"),
            "assertion \"shared == twin\"",
            "m.c:B",
        );
    }
    for reduction in ["none", "static", "phase", "dynamic"] {
        // The reads of one expression are one step, inside of a region that is open and outside of it.
        folder.assert_safe(&format!(
            "m.c@--assert-at@m.c:E@shared == twin && shared == shared@--assert-at@m.c:C@shared == twin@\
             --assert-at@m.c:D@shared == 1@--assert-at@m.c:F@shared == 1@--engine@explicit@--reduction@{reduction}"
        ));
    }
    // A region that is open stays open.
    folder.assert_safe("m.c@--assert-at@m.c:A@1@--assert-at@m.c:E@shared == twin");
    folder.assert_safe("m.c@--assert-at@m.c:E@shared == twin@--@-O2");
    folder.assert_unsafe(
        "m.c@--assert-at@m.c:F@shared == 0@--@-O2",
        "assertion \"shared == 0\"",
        "m.c:F",
    );
}

/// The count is written under a lock, and a demand reads it without.
#[test]
fn a_demand_is_no_data_race() {
    let source = "#include <pthread.h>
static int count, seen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *argument) {
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  seen = READ; /*A*/
  pthread_join(thread, 0);
  return seen;
}
";
    let folder = program(source);
    let options = "@--property@no-data-race@--assert-at@m.c:A@count == 0 || count == 1";
    folder.assert_safe(&format!("m.c@-DREAD=3{options}"));
    folder.assert_unsafe(
        &format!("m.c@-DREAD=3{options} - 1"),
        "assertion \"count == 0 || count == 1 - 1\"",
        "m.c:A",
    );
    let output = folder.verify(&format!("m.c@-DREAD=count{options}"));
    assert!(
        last_line(&output).contains("data race"),
        "{}",
        stdout(&output)
    );
    assert_eq!(code(&output), 10);
}

#[test]
fn a_violation_is_replayed_natively() {
    let folder = program(THREADS);
    for (options, what, place) in [
        (
            "--assert-at@m.c:E@shared == 0",
            "assertion \"shared == 0\"",
            "m.c:E",
        ),
        ("--unreachable@m.c:D", REACHED, "m.c:D"),
    ] {
        folder.assert_unsafe(&format!("m.c@{options}@--schedule-out@s"), what, place);
        let replayed = folder.verify(&format!("m.c@{options}@--replay@s"));
        let expected = format!("REPLAY: CONFIRMED ({what}) at {}", folder.with_line(place));
        assert_eq!(last_line(&replayed), expected, "{}", stderr(&replayed));
    }
    // Without the demand nothing is violated there.
    let replayed = folder.verify("m.c@--replay@s");
    assert!(
        !stdout(&replayed).contains("CONFIRMED"),
        "{}",
        stdout(&replayed)
    );
}

/// A header with a function, included by two files under other names.
const HEADER: &str = "static inline int twice(int a) {
  int b = a + a; /*A*/
  return b; /*B*/
}
static inline int unused(int a) {
  return a; /*C*/
}
";

fn several() -> Folder {
    let folder = Folder::of(&[
        ("lib/twice.h", HEADER),
        (
            "m.c",
            "#include \"lib/twice.h\"
int other(int);
int main(void) {
  return twice(2) + other(3) == 0; /*A*/
}
",
        ),
        (
            "n.c",
            "#include \"alias/../alias/./twice.h\"
int other(int);
int other(int a) {
  return twice(a); /*A*/
}
",
        ),
        ("none.c", "int none(void) { return 1; /*A*/ }\n"),
    ]);
    std::os::unix::fs::symlink("lib", folder.path().join("alias")).expect("a link is made");
    folder
}

#[test]
fn files_are_found_by_all_of_their_names() {
    let folder = several();
    for header in ["lib/twice.h", "alias/twice.h", "./lib/../lib/twice.h"] {
        folder.assert_safe(&format!("m.c@n.c@--assert-at@{header}:A@a == 2 || a == 3"));
        folder.assert_unsafe(
            &format!("m.c@n.c@--assert-at@{header}:A@a == 2"),
            "assertion \"a == 2\"",
            "./alias/../alias/./twice.h:2",
        );
        folder.assert_unsafe(
            &format!("m.c@n.c@--assert-at@{header}:B@b == 6"),
            "assertion \"b == 6\"",
            "./lib/twice.h:3",
        );
    }
    folder.assert_safe("m.c@n.c@--assert-at@n.c:A@a == 3");
    folder.assert_unsafe(
        "m.c@n.c@--assert-at@n.c:A@a == 2",
        "assertion \"a == 2\"",
        "n.c:A",
    );
    folder.assert_unsafe("m.c@n.c@--unreachable@m.c:A", REACHED, "m.c:A");
}

/// One file reads a header by two names: twice, or once if it says so. The compiler calls it by the first of them.
#[test]
fn a_file_with_two_names_is_one() {
    let folder = Folder::of(&[
        (
            "lib/part.h",
            "static int NAME(int a) {\n  return a; /*A*/\n}\n",
        ),
        (
            "lib/once.h",
            "#pragma once\nstatic int once(int a) {\n  return a; /*A*/\n}\n",
        ),
        (
            "m.c",
            "#define NAME f
#include \"lib/part.h\"
#undef NAME
#define NAME g
#include \"alias/part.h\"
#include \"lib/once.h\"
#include \"alias/once.h\"
int main(void) {
  return f(1) + g(2) + once(3);
}
",
        ),
    ]);
    std::os::unix::fs::symlink("lib", folder.path().join("alias")).expect("a link is made");
    folder.assert_safe(
        "m.c@--assert-at@lib/part.h:A@a == 1 || a == 2@--assert-at@lib/once.h:A@a == 3",
    );
    for (demand, what, place) in [
        (
            "lib/part.h:A@a == 1",
            "assertion \"a == 1\"",
            "./lib/part.h:2",
        ),
        (
            "lib/part.h:A@a == 2",
            "assertion \"a == 2\"",
            "./lib/part.h:2",
        ),
        (
            "alias/once.h:A@a == 2",
            "assertion \"a == 2\"",
            "./lib/once.h:3",
        ),
    ] {
        folder.assert_unsafe(&format!("m.c@--assert-at@{demand}"), what, place);
    }
}

#[test]
fn no_demand_is_lost() {
    let folder = several();
    folder.assert_refused(
        "m.c@n.c@--unreachable@none.c:A",
        &[
            "--unreachable none.c:1",
            "neither is made of `none.c` nor includes it",
        ],
    );
    folder.assert_refused(
        "m.c@n.c@--unreachable@absent.c:1",
        &["cannot read `absent.c`"],
    );
    folder.assert_refused(
        "m.c@n.c@--unreachable@/dev/null:1",
        &["cannot read `/dev/null`: it is no regular file"],
    );
    let no_code = [
        "--assert-at lib/twice.h:6 '1'",
        "makes no code",
        "nothing calls its function",
    ];
    folder.assert_refused("m.c@n.c@--assert-at@lib/twice.h:C@1", &no_code);
    let folder = program(
        "int f(int a) {
  return a;
  a = 2; /*A*/
}
#if 0
int g(int a) {
  return a; /*B*/
}
#endif
#define H(a) \\
  a++; /*C*/
int x = 3; /*D*/
/* a = 1; /*E*/
struct s {
  int member; /*F*/
};

int main(void) { /*H*/
  return f(1) + x; /*G*/
}
",
    );
    for mark in ["A", "B"] {
        folder.assert_refused(
            &format!("m.c@--unreachable@m.c:{mark}"),
            &[
                "--unreachable m.c:",
                "makes no code of that statement",
                "preprocessor",
            ],
        );
    }
    for (line, nearest) in [
        ("C", "nearest lines on which one does are 7 and 19"),
        ("D", "nearest lines on which one does are 7 and 19"),
        ("E", "nearest lines on which one does are 7 and 19"),
        ("F", "nearest lines on which one does are 7 and 19"),
        ("H", "nearest lines on which one does are 7 and 19"),
        ("17", "nearest lines on which one does are 7 and 19"),
        ("1", "nearest line on which one does is 2"),
        ("20", "nearest line on which one does is 19"),
        ("99", "nearest line on which one does is 19"),
    ] {
        let options = format!("m.c@--assert-at@m.c:{line}@x == 3");
        folder.assert_refused(&options, &["no statement of a function begins", nearest]);
    }
    folder.assert_safe("m.c@--assert-at@m.c:G@x == 3");
    // What the compiler finds out itself only where it optimises.
    let folder = program(
        "static int off;\nint main(void) {\n  if (off)\n    return 1; /*A*/\n  return 0;\n}\n",
    );
    folder.assert_safe("m.c@--unreachable@m.c:A");
    folder.assert_refused(
        "m.c@--unreachable@m.c:A@--@-O2",
        &["makes no code", "with -O, by its optimisations"],
    );
}

#[test]
fn the_program_s_own_names_are_no_demands() {
    let folder = program(
        "#include <assert.h>
int calls;
void __mazurka_violated_unless(_Bool holds, const char *text) { calls += holds && text; }
void begin(void) __asm__(\"mazurka.user_property\");
void begin(void) { calls++; }
void __VERIFIER_atomic_begin(void) { calls++; }
void __VERIFIER_atomic_end(void) { calls++; }
int main(void) {
  begin();
  __mazurka_violated_unless(1, \"\");
  __VERIFIER_atomic_begin();
  __VERIFIER_atomic_end(); /*A*/
  assert(calls == 4); /*B*/
  return 0;
}
",
    );
    assert_demands(
        &folder,
        &["--assert-at@m.c:A@calls == 3", "--assert-at@m.c:B@calls"],
        &[(
            "--assert-at@m.c:A@calls == 4",
            "assertion \"calls == 4\"",
            "m.c:A",
        )],
    );
}

#[test]
fn expressions_only_read() {
    let folder = program("int x;\nint main(void) {\n  return x; /*A*/\n}\n");
    for (expression, words) in [
        ("x = 1", ["changes the program", "=="]),
        (
            "x++",
            ["`x++` changes the program", "--assert-at m.c:3 'x++'"],
        ),
        ("main()", ["`main()` is a call", "leave it out"]),
        (
            "1) ; evil(); (1",
            ["not one complete expression", "correct it"],
        ),
        (
            "1) == 1) {} else if ((1",
            ["not one complete expression", "correct it"],
        ),
        ("x ==", ["not one complete expression", "correct it"]),
        ("", ["not one complete expression", "correct it"]),
        ("x // 1", ["`//` may begin a comment", "leave it out"]),
        ("x /* 1", ["`/*` may begin a comment", "leave it out"]),
        ("x\n== 1", ["several lines", "on one"]),
        ("x, 1", ["only the last", "&&"]),
        ("({ x; })", ["more than to read", "leave it out"]),
    ] {
        folder.assert_refused(&format!("m.c@--assert-at@m.c:A@{expression}"), &words);
    }
    // What only the compiler knows, it says, with the option that it is about.
    folder.assert_refused(
        "m.c@--assert-at@m.c:A@x == 0@--assert-at@m.c:A@y == 1",
        &[
            "clang-19 accepts `m.c`, but not with",
            "--assert-at m.c:3 'y == 1'",
            "undeclared identifier 'y'",
        ],
    );
    folder.assert_refused(
        "m.c@--assert-at@m.c:A@*x",
        &["indirection requires pointer"],
    );
    let words = ["`nothing` is no FILE:LINE"];
    assert_refused(&folder.verify("m.c@--assert-at@nothing@1"), 1, &words);
    let output = folder.verify("m.c@--assert-at@m.c:A");
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let output = folder.verify("m.c@--unreachable@m.c:0");
    assert_eq!(code(&output), 1, "{}", stderr(&output));
}

#[test]
fn the_compiler_s_warnings_are_about_the_program_alone() {
    let folder = program(BODIES);
    let strict = "--@-Wall@-Wextra@-Wpedantic@-Werror@-Wdeclaration-after-statement@-Werror=declaration-after-statement@-Wno-dangling-else";
    folder.assert_safe(&format!(
        "m.c@--assert-at@m.c:A@i < 4@--assert-at@m.c:F@1@--assert-at@m.c:J@1@{strict}"
    ));
    folder.assert_unsafe(
        &format!("m.c@--assert-at@m.c:A@i < 3@{strict}@-std=c99"),
        "assertion \"i < 3\"",
        "m.c:A",
    );
    // A program that the compiler refuses stays refused, and the message is about the program.
    let folder = program("int main(void) {\n  int unused;\n  return 0; /*A*/\n}\n");
    let output = folder.verify("m.c@--assert-at@m.c:A@1@--@-Wall@-Werror");
    assert_refused(&output, 2, &["clang-19 rejects `m.c`", "unused variable"]);
    assert!(
        !stderr(&output).contains("__user_property"),
        "{}",
        stderr(&output)
    );
    let folder = program("int main(void) {\n  return x; /*A*/\n}\n");
    folder.assert_refused("m.c@--assert-at@m.c:A@1", &["clang-19 rejects `m.c`"]);
}

#[test]
fn what_is_compiled_elsewhere_is_refused() {
    let folder = program("int x;\nint main(void) {\n  x = 1; /*A*/\n  return x;\n}\n");
    let clang = |arguments: &[&str]| {
        let mut command = Command::new("clang-19");
        let status = command.args(arguments).current_dir(folder.path()).status();
        assert!(status.expect("clang-19 runs").success());
    };
    clang(&["-g", "-emit-llvm", "-c", "m.c", "-o", "m.bc"]);
    for options in ["m.bc", "m.bc@m.c", "-"] {
        folder.assert_refused(
            &format!("{options}@--assert-at@m.c:A@x == 0"),
            &["--assert-at m.c:3 'x == 0'", "name C files alone"],
        );
    }
    // Preprocessed C is C; its lines are its own.
    clang(&["-E", "-C", "m.c", "-o", "m.i"]);
    folder.assert_safe("m.i@--assert-at@m.i:A@x == 0");
    folder.assert_unsafe(
        "m.i@--assert-at@m.i:A@x == 1",
        "assertion \"x == 1\"",
        "m.c:A",
    );
    folder.assert_refused("m.i@--assert-at@m.i:A@f(x) == 1", &["is a call"]);
    folder.assert_refused(
        "m.i@--assert-at@m.c:A@x == 0",
        &["neither is made of `m.c`"],
    );
}

#[test]
fn demands_belong_to_unreach_call() {
    let folder = program("int x, *null;\nint main(void) {\n  x = 1; /*A*/\n  return x; /*B*/\n}\n");
    let output = folder.verify("m.c@--property@valid-deref@--assert-at@m.c:A@x == 1");
    let text = stdout(&output);
    let violated = "unreach-call: UNSAFE (assertion \"x == 1\") at m.c:3";
    assert!(text.lines().any(|said| said == violated), "{text}");
    let output = folder.verify("m.c@--property@valid-deref@--assert-at@m.c:A@x == 0");
    let text = stdout(&output);
    for line in ["unreach-call: SAFE", "valid-deref: SAFE", "VERDICT: SAFE"] {
        assert!(text.lines().any(|said| said == line), "{text}");
    }
    // An expression is evaluated as the program would.
    folder.assert_unsafe("m.c@--assert-at@m.c:A@*null == 0", "null pointer", "m.c:A");
}

#[test]
fn reports_and_certificates_have_the_demand() {
    let folder = program(THREADS);
    let demand = "--assert-at@m.c:E@shared == 0 || \"a\"[0] == shared + 'a' - 1";
    folder.assert_safe(&format!("m.c@{demand}@--certificate@c@--engine@explicit"));
    let checked = folder.verify("check-certificate@c@m.c");
    assert_eq!(
        last_line(&checked),
        "CERTIFICATE: HOLDS",
        "{}",
        stderr(&checked)
    );
    let certificate = fs::read_to_string(folder.path().join("c")).expect("it was written");
    let weaker = certificate.replace("shared == 0 ||", "shared == 1 ||");
    assert_ne!(weaker, certificate);
    fs::write(folder.path().join("c"), weaker).expect("the folder is writable");
    let checked = folder.verify("check-certificate@c@m.c");
    assert!(
        last_line(&checked).starts_with("CERTIFICATE: REFUTED"),
        "{}",
        stdout(&checked)
    );

    let output = folder.verify("m.c@--assert-at@m.c:E@shared == 0@--json");
    let report: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(report["verdict"], "UNSAFE");
    assert_eq!(report["property"], "assertion \"shared == 0\"");

    let compared = folder.verify("m.c@--assert-at@m.c:E@shared == 0@--compare@--timeout@60");
    assert_eq!(
        last_line(&compared),
        format!(
            "VERDICT: UNSAFE (assertion \"shared == 0\") at {}",
            folder.with_line("m.c:E")
        )
    );
    let ran = folder.verify("run@m.c@--unreachable@m.c:D");
    assert_ne!(code(&ran), 0, "it is reached in every run");
    let ran = folder.verify("run@m.c@--assert-at@m.c:D@shared == 1");
    assert_eq!(code(&ran), 0, "{}", stderr(&ran));
}

#[test]
fn files_of_demands_are_not_overwritten() {
    let folder = several();
    let output = folder.verify("m.c@n.c@--unreachable@lib/twice.h:A@--certificate@lib/twice.h");
    assert_eq!(code(&output), 1, "{}", stdout(&output));
    let header = fs::read_to_string(folder.path().join("lib/twice.h")).expect("it is there");
    assert_eq!(header, HEADER);
}
