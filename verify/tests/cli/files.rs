//! Programs of several files, and arguments of clang after `--`.

use std::fs;
use std::process::{Command, Stdio};

use crate::common::{VERIFY, assert_refused, code, last_line, shell, stderr, stdout};

/// The main thread of a counter; the file has a function and a variable of its own.
const MAIN: &str = "#include <assert.h>
#include <pthread.h>
#include \"counter.h\"
static int own = 1;
static void add(void) { own++; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, count, 0);
  count(0);
  pthread_join(thread, 0);
  add();
  assert(own == 2);
  assert(counter == EXPECTED);
  return 0;
}
";

/// The counter, with a function and a variable of the same names. `LOCK` and `UNLOCK` may be defined away.
const COUNTER: &str = "#include \"counter.h\"
#ifndef LOCK
#define LOCK(m) pthread_mutex_lock(m)
#define UNLOCK(m) pthread_mutex_unlock(m)
#endif
int counter;
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
static void add(void) { counter++; }
void *count(void *unused) {
  LOCK(&own);
  add();
  UNLOCK(&own);
  return unused;
}
";

const HEADER: &str = "#include <pthread.h>
#ifndef EXPECTED
#define EXPECTED 2
#endif
extern int counter;
void *count(void *);
";

/// A folder with the files.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let files = [
            ("main.c", MAIN),
            ("counter.c", COUNTER),
            ("again.c", COUNTER),
            ("counter.h", HEADER),
        ];
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("the directory is writable");
        }
        Self(folder)
    }

    fn verify(&self, arguments: &[&str]) -> std::process::Output {
        let mut command = Command::new(VERIFY);
        command
            .args(arguments)
            .current_dir(&self.0)
            .stdin(Stdio::null());
        command.output().expect("the binary runs")
    }
}

#[test]
fn files_are_linked() {
    let folder = Folder::new();
    for files in [["main.c", "counter.c"], ["counter.c", "main.c"]] {
        let right = folder.verify(&files);
        assert_eq!(last_line(&right), "VERDICT: SAFE", "{}", stderr(&right));
        let words = [files[0], files[1], "--", "-DLOCK(m)=0", "-DUNLOCK(m)=0"];
        let racing = folder.verify(&words);
        assert_eq!(
            last_line(&racing),
            "VERDICT: UNSAFE (assertion) at main.c:13"
        );
        assert_eq!(code(&racing), 10);
    }
}

#[test]
fn what_stands_after_two_dashes_goes_to_clang() {
    let folder = Folder::new();
    let after = folder.verify(&["main.c", "counter.c", "--", "-DEXPECTED=3"]);
    assert_eq!(
        last_line(&after),
        "VERDICT: UNSAFE (assertion) at main.c:13"
    );
    let words = ["export", "--format", "btor2", "main.c", "counter.c"];
    let exported = folder.verify(&[&words[..], &["--", "-DEXPECTED=3"]].concat());
    let text = String::from_utf8(exported.stdout).expect("text");
    for line in [
        "program: main.c",
        "program: counter.c",
        "clang argument: -DEXPECTED=3",
    ] {
        assert!(text.contains(line), "`{line}` is missing in {text}");
    }
}

#[test]
fn compared_reductions_have_all_files_and_arguments() {
    let folder = Folder::new();
    let compared = folder.verify(&["main.c", "counter.c", "--compare", "--", "-DEXPECTED=3"]);
    assert_eq!(
        last_line(&compared),
        "VERDICT: UNSAFE (assertion) at main.c:13",
        "{}",
        stderr(&compared)
    );
}

#[test]
fn certificates_are_about_all_files() {
    let folder = Folder::new();
    let words = ["--engine", "ic3", "--certificate", "proof.smt2"];
    let proved = folder.verify(&[&["main.c", "counter.c"], &words[..]].concat());
    assert_eq!(last_line(&proved), "VERDICT: SAFE", "{}", stderr(&proved));
    let check =
        |files: &[&str]| folder.verify(&[&["check-certificate", "proof.smt2"], files].concat());
    let same = check(&["main.c", "counter.c"]);
    assert_eq!(last_line(&same), "CERTIFICATE: HOLDS", "{}", stderr(&same));
    let racing = format!("#define LOCK(m) 0\n#define UNLOCK(m) 0\n{COUNTER}");
    fs::write(folder.0.path().join("counter.c"), racing).expect("the directory is writable");
    let other = check(&["main.c", "counter.c"]);
    assert!(last_line(&other).starts_with("CERTIFICATE: REFUTED"));
}

#[test]
fn files_that_do_not_fit_together_are_refused() {
    let folder = Folder::new();
    assert_refused(
        &folder.verify(&["main.c", "counter.c", "again.c"]),
        2,
        &["cannot link `again.c`", "count", "defined"],
    );
    assert_refused(
        &folder.verify(&["counter.c"]),
        2,
        &["`counter.c` has no function `main`", "name the file"],
    );
    assert_refused(&folder.verify(&["main.c", "-"]), 2, &["standard input"]);
    assert_refused(
        &folder.verify(&["main.c", "counter.c", "--schedule-out", "counter.c"]),
        1,
        &["counter.c", "that is the program"],
    );
    let missing = folder.verify(&["main.c", "lost.c"]);
    assert_refused(&missing, 2, &["cannot read `lost.c`"]);
}

#[test]
fn bitcode_is_linked_with_sources_unless_it_is_for_another_target() {
    let folder = Folder::new();
    let path = folder.0.path().to_str().expect("UTF-8");
    let compile = |arguments: &str| {
        let made = shell(&format!(
            "cd {path} && clang-19 -g -emit-llvm -c {arguments}"
        ));
        assert_eq!(code(&made), 0, "{}", stderr(&made));
    };
    compile("counter.c -o counter.bc");
    let linked = folder.verify(&["main.c", "counter.bc"]);
    assert_eq!(last_line(&linked), "VERDICT: SAFE", "{}", stderr(&linked));
    compile("--target=aarch64-linux-gnu -ffreestanding -x c /dev/null -o other.bc");
    let other = folder.verify(&["main.c", "counter.c", "other.bc"]);
    assert_refused(&other, 2, &["cannot link `other.bc`", "another target"]);
}

#[test]
fn a_file_that_defines_what_is_called_is_named() {
    let folder = Folder::new();
    let alone = folder.verify(&["main.c", "--engine", "explicit"]);
    assert!(
        last_line(&alone).starts_with("VERDICT: UNKNOWN"),
        "{}",
        last_line(&alone)
    );
    let hint = "unsupported: call of undefined function `count` at main.c:9; name `again.c`, too, which defines it";
    let text = stdout(&alone);
    assert!(text.lines().any(|line| line == hint), "{text}");
    for name in ["again.c", "counter.c"] {
        fs::remove_file(folder.0.path().join(name)).expect("it is there");
    }
    let nowhere = folder.verify(&["main.c", "--engine", "explicit"]);
    assert!(!stdout(&nowhere).contains("which defines it"));
}

#[test]
fn options_of_clang_stand_among_the_others() {
    let folder = Folder::new();
    let wrong = "VERDICT: UNSAFE (assertion) at main.c:13";
    for words in [
        &["-DEXPECTED=3", "main.c", "counter.c"][..],
        &["main.c", "-D", "EXPECTED=3", "counter.c"],
        &[
            "main.c",
            "counter.c",
            "-DEXPECTED=2",
            "-UEXPECTED",
            "-DEXPECTED=3",
        ],
    ] {
        assert_eq!(last_line(&folder.verify(words)), wrong, "{words:?}");
    }
    let text = "#include <assert.h>\n#include \"own.h\"\nint main(void) { assert(__STDC_VERSION__ == STANDARD); }\n";
    fs::write(folder.0.path().join("version.c"), text).expect("the directory is writable");
    let own = folder.0.path().join("own");
    fs::create_dir(&own).expect("the directory is writable");
    fs::write(own.join("own.h"), "#define STANDARD 199901L\n").expect("it is writable");
    for (standard, expected) in [
        ("-std=c99", "VERDICT: SAFE"),
        ("-std=c11", "VERDICT: UNSAFE (assertion) at version.c:3"),
    ] {
        let output = folder.verify(&["version.c", standard, "-I", "own"]);
        assert_eq!(last_line(&output), expected, "{}", stderr(&output));
    }
}

/// What a build system wrote for the two files in a folder beside theirs.
fn database(racing: &str) -> String {
    format!(
        "[
  {{\"directory\": \"..\", \"file\": \"main.c\",
   \"arguments\": [\"cc\", \"-O2\", \"-Iheaders\", \"-DEXPECTED=2\", \"-c\", \"main.c\", \"-o\", \"build/main.o\"]}},
  {{\"directory\": \".\", \"file\": \"../counter.c\",
   \"command\": \"cc -Werror -fplugin=none.so -MD -MF x.d -I ../headers {racing} -c -o counter.o ../counter.c\"}},
  {{\"directory\": \".\", \"file\": \"start.S\", \"command\": \"cc -c start.S\"}}
]"
    )
}

#[test]
fn a_compilation_database_says_how_files_are_compiled() {
    let folder = Folder::new();
    let path = |name: &str| folder.0.path().join(name);
    for name in ["build", "headers"] {
        fs::create_dir(path(name)).expect("the directory is writable");
    }
    fs::rename(path("counter.h"), path("headers/counter.h")).expect("it is there");
    let write = |text: String| {
        fs::write(path("build/compile_commands.json"), text).expect("it is writable");
    };
    let named = ["--compile-commands", "build", "main.c", "counter.c"];
    let all = &named[..2];
    for words in [&named[..], all] {
        write(database(""));
        let right = folder.verify(words);
        assert_eq!(last_line(&right), "VERDICT: SAFE", "{}", stderr(&right));
        let other = folder.verify(&[words, &["-UEXPECTED", "-DEXPECTED=3"]].concat());
        assert_eq!(code(&other), 10, "{}", stderr(&other));
        write(database("'-DLOCK(m)=0' '-DUNLOCK(m)=0'"));
        let racing = folder.verify(words);
        let verdict = last_line(&racing);
        assert!(
            verdict.ends_with("main.c:13") && code(&racing) == 10,
            "{verdict}"
        );
    }

    write(database(""));
    let words = ["--engine", "ic3", "--certificate", "proof.smt2"];
    let proved = folder.verify(&[&named[..], &words].concat());
    assert_eq!(last_line(&proved), "VERDICT: SAFE", "{}", stderr(&proved));
    let check = ["check-certificate", "proof.smt2"];
    let holds = folder.verify(&[&check, &named[..]].concat());
    assert_eq!(
        last_line(&holds),
        "CERTIFICATE: HOLDS",
        "{}",
        stderr(&holds)
    );
    let without = folder.verify(&[&check, &named[2..]].concat());
    assert_refused(&without, 1, &["both say --compile-commands"]);
    let over = folder.verify(&[all, &["--schedule-out", "counter.c"]].concat());
    assert_refused(&over, 1, &["counter.c", "that is the program"]);

    fs::write(path("new.c"), "int main(void) { return 0; }").expect("it is writable");
    let unknown = folder.verify(&["--compile-commands", "build", "new.c"]);
    assert_refused(
        &unknown,
        2,
        &["build/compile_commands.json` has none of the files"],
    );
    let beside = folder.verify(&["--compile-commands", "build", "new.c", "counter.c"]);
    assert_eq!(last_line(&beside), "VERDICT: SAFE", "{}", stderr(&beside));
    write("[{\"directory\": \".\", \"file\": \"main.c\"}]".to_owned());
    assert_refused(
        &folder.verify(all),
        2,
        &["no compilation database", "main.c"],
    );
    write("{".to_owned());
    assert_refused(&folder.verify(all), 2, &["no compilation database"]);
    write("[]".to_owned());
    assert_refused(&folder.verify(all), 2, &["has no C file"]);
    let missing = folder.verify(&["--compile-commands", "headers"]);
    assert_refused(
        &missing,
        2,
        &["cannot read `headers/compile_commands.json`", "cmake"],
    );
}
