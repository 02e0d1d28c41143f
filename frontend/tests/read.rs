//! Reading C programs: what the automata look like, and what is said of what cannot be read.

use std::fs;

use frontend::llvm::Module;
use frontend::testing::{load_path, read, try_load};
use frontend::{ReadOptions, read_module};
use program::model::{Edge, LimitKind, LocationKind, Program, Statement};

fn edges(program: &Program) -> impl Iterator<Item = &Edge> {
    program
        .templates
        .values()
        .flat_map(|template| template.edges.values())
}

fn count(program: &Program, wanted: impl Fn(&Statement) -> bool) -> usize {
    edges(program)
        .filter(|edge| wanted(&edge.statement))
        .count()
}

fn loads(program: &Program) -> usize {
    count(program, |statement| {
        matches!(statement, Statement::Load { .. })
    })
}

const BOTH: [&[&str]; 2] = [&["-O0"], &["-O2"]];

#[test]
fn a_waiting_loop_reads_its_flag_again_and_again() {
    let program = read(
        "int flag; int main(void) { while (!flag); return 0; }",
        &["-O0"],
    );
    assert_eq!(loads(&program), 1);
    let main = &program.templates[program.main];
    let load = main
        .edges
        .values()
        .find(|e| matches!(e.statement, Statement::Load { .. }))
        .expect("a load");
    // The way back from the guard leads to the load.
    assert!(
        main.edges
            .values()
            .any(|e| matches!(e.statement, Statement::Guard { .. }) && e.target == load.source)
    );
}

#[test]
fn two_reads_stay_two_reads() {
    let text = "#include <assert.h>\nint x; int main(void) { int a = x, b = x; x = 1; x = 2; assert(a == b); return 0; }";
    let program = read(text, &["-O0"]);
    assert_eq!(loads(&program), 2);
    assert_eq!(
        count(&program, |statement| matches!(
            statement,
            Statement::Store { .. }
        )),
        2
    );
    assert!(program.templates[program.main].locals.is_empty());
}

#[test]
fn positions_and_names_of_variables_survive() {
    let text = "#include <assert.h>\nint x;\nstatic int get(void) {\n  int y = x;\n  return y;\n}\nint main(void) {\n  assert(get() == 0);\n  return 0;\n}\n";
    let program = read(text, &["-O0"]);
    let main = &program.templates[program.main];
    let load = main
        .edges
        .values()
        .find(|e| matches!(e.statement, Statement::Load { .. }))
        .expect("a load");
    let site = &program.sites[load.site];
    assert_eq!((site.line, site.function.as_str()), (4, "get"));
    assert!(
        main.registers
            .values()
            .any(|register| register.variable.as_deref() == Some("y"))
    );
    let error = main
        .edges
        .values()
        .find(|e| main.locations[e.target].kind.is_error())
        .expect("an assertion");
    assert_eq!(program.sites[error.site].line, 8);
}

#[test]
fn two_runs_give_the_same_program() {
    let text = "#include <pthread.h>\nint x; void *f(void *p) { x += *(int *)p; return 0; }\n\
                int main(void) { int v = 1; pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, &v);\n\
                for (int i = 0; i < 2; i++) pthread_join(t[i], 0); return x; }";
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("test.c");
    fs::write(&path, text).expect("a file in the temporary folder");
    for flags in BOTH {
        let read = || load_path(&path, flags);
        let (first, second) = (read(), read());
        assert_eq!(first.program, second.program);
        assert_eq!(first.module().to_text(), second.module().to_text());
    }
}

#[test]
fn short_loops_of_constant_length_are_unrolled() {
    let stores = |start: &str, rounds: u32| {
        let text = format!(
            "volatile int x; int main(void) {{\n{start}\nfor (int i = 0; i < {rounds}; i++) x = i; return 0; }}"
        );
        let program = read(&text, &["-O0"]);
        let main = &program.templates[program.main];
        let edges = main.edges.values();
        let stores = edges.filter(|edge| matches!(edge.statement, Statement::Store { .. }));
        stores.count()
    };
    assert_eq!(stores("", 4), 4);
    assert_eq!(stores("", 1000), 1);
    assert_eq!(stores("#pragma clang loop unroll(disable)", 4), 1);
}

/// What is said to be unsupported, with lines.
fn unsupported(text: &str) -> Vec<(String, u32)> {
    let program = read(text, &["-O0"]);
    program
        .unsupported
        .values()
        .map(|item| (item.what.clone(), program.sites[item.site].line))
        .collect()
}

#[test]
fn what_is_not_supported_is_named_with_its_line() {
    let cases = [
        ("inline assembly `hlt`", "asm volatile(\"hlt\");"),
        (
            "`setjmp` beside arrays of variable length",
            "char a[x + 1]; a[0] = x; if (_setjmp(place) == 0) longjmp(place, a[0]);",
        ),
        (
            "a value of type `x86_fp80`",
            "long double d = x; x = d * 2;",
        ),
        (
            "`main.large`, a variable of 200000000 bytes: at most 67108864 are read",
            "static char large[200000000]; large[x] = 1; x = large[0];",
        ),
        (
            "call of `sscanf` that reads anything but integers and texts of limited lengths, or whose format is computed",
            "char word[9]; x = sscanf(\"none\", \"%s\", word);",
        ),
        (
            "call of `sscanf` that reads anything but integers and texts of limited lengths, or whose format is computed",
            "char format[] = \"%d\"; x = sscanf(\"12\", format, &x);",
        ),
        (
            "call of undefined function `launch_missiles`",
            "extern int launch_missiles(int); x = launch_missiles(x);",
        ),
        (
            "undefined start routine `elsewhere`",
            "extern void *elsewhere(void *); pthread_t t; pthread_create(&t, 0, elsewhere, 0);",
        ),
        (
            "call of a variadic function as one that is not",
            "x = ((int (*)(int, int))sum)(1, x);",
        ),
        (
            "variadic call with an argument of this type",
            "typedef int row __attribute__((vector_size(32))); row r = {x}; x = sum(1, r);",
        ),
        (
            "call of a variadic function through a pointer",
            "int (*volatile f)(int, ...) = sum; x = f(2, x, x);",
        ),
        (
            "the end of an atomic region that was not begun",
            "__VERIFIER_atomic_end();",
        ),
        (
            "call through a pointer to no function of its type",
            "((void (*)(int))(long)x)(x);",
        ),
        (
            "call of `scanf` that reads anything but integers and texts of limited lengths, or whose format is computed",
            "extern int scanf(const char *, ...); int n; x = scanf(\"%2d\", &n);",
        ),
        (
            "read-write lock that lets writers go first",
            "pthread_rwlockattr_t a; pthread_rwlockattr_init(&a); pthread_rwlockattr_setkind_np(&a, 2);",
        ),
        (
            "`mtx_lock`, which need not be defined",
            "extern int mtx_init(void *, int); extern __attribute__((weak)) int mtx_lock(void *); x = mtx_lock != 0; mtx_init(0, 0);",
        ),
        (
            "robust mutex",
            "pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);",
        ),
        (
            "mutex with a priority ceiling",
            "pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_PROTECT);",
        ),
        (
            "`longjmp` in a program with `pthread_once`",
            "extern void f(void); static pthread_once_t o; pthread_once(&o, f); longjmp(place, 1);",
        ),
        (
            "computed `goto` beside arrays of variable length",
            "void *l = &&a; char v[x + 1]; v[0] = 0; goto *l; a:;",
        ),
        (
            "comparison of, or arithmetic with, what may be the address of a label",
            "void *l = &&a; x = l == (void *)main; goto *l; a:;",
        ),
        (
            "a function for `qsort` or `bsearch` that does more than compare its arguments",
            "extern void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *)); extern int f(const void *, const void *); qsort(place, 2, 4, f);",
        ),
        (
            "integers of type `i200`",
            "_BitInt(200) b = x; b = b * b; x = b > 5;",
        ),
    ];
    for (what, statement) in cases {
        let text = format!(
            "#include <pthread.h>\n#include <stdarg.h>\nextern int sscanf(const char *, const char *, ...);\nextern void __VERIFIER_atomic_end(void);\nextern int _setjmp(void *); extern void longjmp(void *, int); char place[200]; volatile int x;\n\
             int sum(int n, ...) {{ va_list l; va_start(l, n); int s = va_arg(l, int); va_end(l); return s; }}\n\
             int main(void) {{\n  {statement}\n  return x;\n}}\n"
        );
        assert!(
            unsupported(&text).contains(&(what.to_owned(), 8)),
            "{what}: {:?}",
            unsupported(&text)
        );
    }
}

#[test]
fn everything_unsupported_is_listed_in_source_order() {
    let text = r#"#include <pthread.h>
extern int measure(int);
extern void *elsewhere(void *);
volatile int x;
static void *worker(void *p) {
  asm volatile("hlt");
  return p;
}
static int half(int v) { return v * 0.5L; }
static int never_called(int v) { return v * 0.25L; }
int main(void) {
  pthread_t t;
  x = half(x) + half(x + 1);
  for (int i = 0; i < x; i++) {
    if (x * 0.5L > 3) asm volatile("ud2; int3");
    else x = measure(x) + measure(x + 1);
  }
  int values[x];
  values[0] = x;
  pthread_create(&t, 0, worker, values);
  pthread_create(&t, 0, elsewhere, 0);
  _BitInt(200) b = x;
  b = b * b;
  x = b > 5;
  switch (measure(values[0])) {
  case 1: return never_called == half;
  default: return 0;
  }
}
"#;
    let listed = [
        ("inline assembly `hlt`", 6),
        ("a value of type `x86_fp80`", 9),
        ("a value of type `x86_fp80`", 15),
        ("inline assembly `ud2; int3`", 15),
        ("call of undefined function `measure`", 16),
        ("undefined start routine `elsewhere`", 21),
        ("integers of type `i200`", 22),
        ("call of undefined function `measure`", 25),
    ];
    assert_eq!(
        unsupported(text),
        listed.map(|(what, line)| (what.to_owned(), line))
    );
    // The program still ends at the first of them.
    let program = read(text, &["-O0"]);
    assert_eq!(program.templates.len(), 1);
    assert_eq!(
        count(&program, |s| matches!(s, Statement::Create { .. })),
        0
    );
    let limits: Vec<LimitKind> = program.templates[program.main]
        .locations
        .values()
        .filter_map(|location| match location.kind {
            LocationKind::Limit(limit) => Some(limit),
            LocationKind::Ordinary
            | LocationKind::Exited
            | LocationKind::Error(_)
            | LocationKind::Halted
            | LocationKind::Blocked => None,
        })
        .filter(|limit| matches!(limit, LimitKind::Unsupported(_)))
        .collect();
    let second = program.unsupported.keys().nth(1).expect("eight constructs");
    assert_eq!(limits, [LimitKind::Unsupported(second)]);
}

#[test]
fn sites_survive_writing_and_reading_the_module() {
    let text = "int x, y; int main(void) { x = 1; y = x; while (x) y++; return y; }";
    let loaded = try_load(text, &["-O0"]).unwrap_or_else(|error| panic!("{error}"));
    let written = Module::from_bitcode(&loaded.module().to_bitcode(), "copy")
        .unwrap_or_else(|error| panic!("{error}"));
    let name = loaded.program.name.clone();
    let again = read_module(&written, &name, &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(loaded.program, again);
}

#[test]
fn a_yield_call_marks_the_location_before_it() {
    let text = "extern void mark(int); int x; int main(void) { x = 1; mark(3); x = 2; return 0; }";
    let loaded = try_load(text, &["-O0"]).unwrap_or_else(|error| panic!("{error}"));
    let marked = loaded
        .module()
        .to_text()
        .replace("@mark(", "@__mazurka_yield(");
    let marked = Module::from_text(marked.as_bytes(), "marked").expect("a well-formed module");
    let program = read_module(&marked, "marked", &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let main = &program.templates[program.main];
    let external: Vec<_> = main
        .locations
        .iter()
        .filter(|(_, location)| location.external)
        .map(|(id, _)| id)
        .collect();
    let stores: Vec<_> = main
        .edges
        .values()
        .filter(|e| matches!(e.statement, Statement::Store { .. }))
        .collect();
    assert_eq!(external, [stores[1].source]);
}
