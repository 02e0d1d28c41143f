//! What a program calls its functions and variables: names that this project, the models of the library or the C library use mean
//! what the program says, or the program is not read.

use crate::common::c::{PRELUDE, limits, outcome, search};
use explicit::explore::{Incompleteness, SearchVerdict};
use frontend::testing::try_load_as;

/// Whether no error was found, and nothing but that not every input of 32 bits was tried is missing for a proof.
fn is_right(found: &SearchVerdict) -> bool {
    let is_input = |reason: &Incompleteness| matches!(reason, Incompleteness::Sampled { .. });
    match found {
        SearchVerdict::Safe(()) => true,
        SearchVerdict::Unsafe(_) => false,
        SearchVerdict::Unknown(reasons) => reasons.iter().all(is_input),
    }
}

/// The outcome of a program that may fail, with what every program here declares.
fn outcome_of(text: &str) -> SearchVerdict {
    outcome(&format!("{PRELUDE}{text}"), &[])
}

/// Expects no error in the program, and a violation where the first `right` is replaced.
fn twins(text: &str, right: &str, wrong: &str) {
    assert!(text.contains(right), "{right} is not in\n{text}");
    let found = outcome_of(text);
    assert!(is_right(&found), "{found:?}\n{text}");
    let broken = text.replacen(right, wrong, 1);
    let found = outcome_of(&broken);
    assert!(
        matches!(found, SearchVerdict::Unsafe(_)),
        "{found:?}\n{broken}"
    );
}

/// Expects that no more is said of a program than a reason with these words.
fn unknown(text: &str, words: &str) {
    let reasons = limits(&outcome_of(text), text);
    let found = reasons.iter().any(|reason| reason.contains(words));
    assert!(found, "{words} is not in {reasons:?}\n{text}");
}

/// Names that mark a construct or carry a value elsewhere, and names of what is inserted for a while.
#[test]
fn functions_with_names_of_this_project_are_ordinary() {
    for name in [
        "mazurka.keep",
        "mazurka.dispatch",
        "__mazurka_unsupported",
        "__mazurka_undefined_unless",
        "__mazurka_invalid_access_unless",
        "__mazurka_overflow_unless",
        "__mazurka_lock_misuse_unless",
        "__mazurka_wait",
        "__mazurka_yield",
        "__mazurka_scan",
        "__mazurka_nondet.i32",
        "__mazurka_whatever",
    ] {
        let text = format!(
            "int x; void *k(void *a) __asm__(\"{name}\");
void *k(void *a) {{ x = 1; return 0; }}
int main(void) {{
  int v = 3; int *volatile p = &v; pthread_t t;
  pthread_create(&t, 0, k, 0); k(0);
  if (x != 1 || v != 3) reach_error();
  return 0;
}}
"
        );
        twins(&text, "x != 1", "x != 0");
    }
}

#[test]
fn undefined_functions_with_names_of_this_project_are_not_known() {
    for name in [
        "mazurka.keep",
        "__mazurka_nondet.i32",
        "__mazurka_nondet.i64",
        "__mazurka_unknown_int",
        "__mazurka_undefined_unless",
        "__mazurka_yield",
        "__mazurka_scan",
    ] {
        let text = format!(
            "signed char k(int, void *) __asm__(\"{name}\");
int main(void) {{
  long u; int n; int v = 3; int *volatile p = &v;
  k(1, p);
  if (u == 1000 && n == 1000) reach_error();
  return 0;
}}
"
        );
        unknown(&text, &format!("undefined function `program.{name}`"));
    }
}

#[test]
fn variables_and_aliases_with_names_of_this_project() {
    for name in [
        "mazurka.keep",
        "__mazurka_nondet.i32",
        "__mazurka_unsupported",
    ] {
        let text = format!(
            "int v __asm__(\"{name}\") = 3;
int main(void) {{ int n; n = v; n /= v; if (n != 1) reach_error(); return 0; }}
"
        );
        twins(&text, "n != 1", "n == 1");
        let text = format!(
            "int x; void set(int n) {{ x++; }}
void k(int n) __asm__(\"{name}\") __attribute__((alias(\"set\")));
int main(void) {{ int v; int *volatile p = &v; k(v); if (x != 1) reach_error(); return 0; }}
"
        );
        twins(&text, "x != 1", "x == 1");
    }
}

#[test]
fn markers_that_a_program_defines_do_not_hide_what_is_not_read() {
    let unsupported = "int x; void __mazurka_unsupported(const char *text) {}\n";
    let undefined = "int x; void __mazurka_undefined_unless(_Bool condition) {}\n";
    let recursion = "int x; void __mazurka_recursion_limit(void) {}\n";
    let checks_x = "int main(void) { if (x) reach_error(); return 0; }\n";
    for (head, body, words) in [
        (
            unsupported,
            &*format!(
                "__attribute__((constructor)) void k(int number) {{ x = number; }} {checks_x}"
            ),
            "constructor",
        ),
        (
            unsupported,
            &*format!("__asm__(\".globl x\"); {checks_x}"),
            "assembly",
        ),
        (
            unsupported,
            "void set(int n) { x = n; } void (*volatile f)(int, ...) = (void *)set;
             int main(void) { f(1); if (x) reach_error(); return 0; }",
            "variadic",
        ),
        (
            undefined,
            "int main(void) { int d = __VERIFIER_nondet_bool(); x = 10 / d; return 0; }",
            "undefined",
        ),
        (
            recursion,
            "void f(void) { x++; if (x > 11) reach_error(); if (__VERIFIER_nondet_bool()) f(); }
             int main(void) { f(); return 0; }",
            "recursion",
        ),
    ] {
        unknown(&format!("{head}{body}"), words);
    }
}

#[test]
fn a_variadic_function_with_the_name_of_a_marker_is_not_passed_over() {
    let text = "#include <stdarg.h>
int x; void k(int n, ...) __asm__(\"mazurka.keep\");
void k(int n, ...) { va_list l; va_start(l, n); x = va_arg(l, int); va_end(l); }
int main(void) { k(1, 2); if (x != 2) reach_error(); return 0; }
";
    twins(text, "x != 2", "x == 2");
}

/// The models do not call what the program defines, as the C library does not.
#[test]
fn models_of_the_library_do_not_call_the_program() {
    let sleeper = "void *t(void *a) { struct timespec s = {0, 0}; int r = pthread_mutex_timedlock(&m, &s);
  if (!r) pthread_mutex_unlock(&m); else if (CAUGHT) reach_error(); return 0; }
int main(void) { pthread_t h; pthread_mutex_lock(&m); pthread_create(&h, 0, t, 0); pthread_mutex_unlock(&m); return 0; }
";
    let text = format!(
        "#include <time.h>\n_Bool __VERIFIER_nondet_bool(void) {{ return 0; }}
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n{sleeper}"
    );
    twins(&text.replace("CAUGHT", "r != 110"), "r != 110", "r == 110");
    let text = "int __VERIFIER_nondet_int(void) { return 4; }
int main(void) { int r = rand(); if (r < 0) reach_error(); return 0; }
";
    twins(text, "r < 0", "r == 5");
    let text = "void __VERIFIER_assume(int c) {}
int main(void) { int r = rand(); if (r < 0) reach_error(); return 0; }
";
    twins(text, "r < 0", "r >= 0");
    let text = "int __VERIFIER_nondet_int(void) { return rand(); }
int main(void) { int r = __VERIFIER_nondet_int(); if (r < 0) reach_error(); return 0; }
";
    twins(text, "r < 0", "r >= 0");
    let text = "int strncmp(const char *a, const char *b, size_t n) { return 7; }
char s[2] = \"a\"; int main(void) { if (strcmp(s, \"a\")) reach_error(); return 0; }
";
    twins(text, "strcmp(s, \"a\")", "strncmp(s, \"a\", 1)");
    let text = "int v __asm__(\"strncmp\");
char s[2] = \"a\"; int main(void) { if (strcmp(s, \"a\")) reach_error(); return v; }
";
    twins(text, "(s, \"a\")", "(s, \"b\")");
    let text = "int seven(void) { return 7; } int rand(void) __attribute__((alias(\"seven\")));
int main(void) { unsigned s; int r = rand_r(&s); if (r < 0 || rand() != 7) reach_error(); return 0; }
";
    twins(text, "r < 0", "r == 8");
}

#[test]
fn regions_stay_atomic_whatever_the_program_defines() {
    let empty = "void __VERIFIER_atomic_begin(void) {} void __VERIFIER_atomic_end(void) {}\n";
    let semaphore = "sem_t s; int in;
void *t(void *a) { sem_wait(&s); if (++in != 1) reach_error(); in--; sem_post(&s); return 0; }
int main(void) { pthread_t h, g; sem_init(&s, 0, 1); pthread_create(&h, 0, t, 0); pthread_create(&g, 0, t, 0); return 0; }
";
    twins(&format!("{empty}{semaphore}"), "0, 1)", "0, 2)");
    let function = "int x; void __VERIFIER_atomic_add(void) { int v = x; x = v + 1; }
void *t(void *a) { __VERIFIER_atomic_add(); return 0; }
int main(void) { pthread_t h, g; pthread_create(&h, 0, t, 0); pthread_create(&g, 0, t, 0);
  pthread_join(h, 0); pthread_join(g, 0); if (x != 2) reach_error(); return 0; }
";
    let text = format!("{empty}{function}");
    twins(&text, "x != 2", "x == 2");
    let own = "int x; void add(void) { __VERIFIER_atomic_begin(); int v = x; x = v + 1; __VERIFIER_atomic_end(); }\n";
    let text = function.replacen(
        "int x; void __VERIFIER_atomic_add(void) { int v = x; x = v + 1; }\n",
        own,
        1,
    );
    let text = text.replace("__VERIFIER_atomic_add", "add");
    assert!(is_right(&outcome_of(&text)), "{text}");
    let found = outcome_of(&format!("{empty}{text}"));
    assert!(matches!(found, SearchVerdict::Unsafe(_)), "{found:?}");
}

/// What optimising compilers keep of an `extern inline` function is not the function that runs.
#[test]
fn copies_of_known_functions_are_not_called() {
    let copy =
        "extern inline __attribute__((gnu_inline)) int __VERIFIER_nondet_int(void) { return 4; }
int main(void) { if (__VERIFIER_nondet_int() == 5) reach_error(); return 0; }
";
    let flags = ["-O1", "-Xclang", "-disable-llvm-passes"];
    let found = outcome(&format!("void reach_error(void);\n{copy}"), &flags);
    assert!(matches!(found, SearchVerdict::Unsafe(_)), "{found:?}");
    let own = copy.replace("extern inline __attribute__((gnu_inline)) ", "");
    let found = outcome(&format!("void reach_error(void);\n{own}"), &flags);
    assert!(is_right(&found), "{found:?}");
}

#[test]
fn definitions_that_the_c_library_uses_are_not_passed_over() {
    for definition in [
        "void __gmon_start__(void) { x = 1; }",
        "void _init(void) { x = 1; }",
        "void _fini(void) { reach_error(); }",
        "void _start(void) { x = 1; main(); }",
        "int __libc_start_main(int (*m)(void), int c, char **v) { x = 1; return main(); }",
        "void _ITM_registerTMCloneTable(void *p, size_t n) { x = 1; }",
        "void __cxa_finalize(void *p) { reach_error(); }",
        "void *malloc(size_t n) { x = 1; return 0; }",
        "void free(void *p) { x = 1; }",
        "void set(void) { x = 1; } void __gmon_start__(void) __attribute__((alias(\"set\")));",
        "char *__progname;",
    ] {
        let text = format!(
            "int x; int main(void);\n{definition}\nint main(void) {{ if (x) reach_error(); return 0; }}\n"
        );
        unknown(&text, "before or after `main`");
    }
    let hidden = "int x; static void _init(void) { x++; } extern char **__environ;
int main(void) { _init(); if (x != 1) reach_error(); return 0; }
";
    twins(hidden, "x != 1", "x == 1");
}

/// For the assembler `\01f` is `f`.
#[test]
fn two_names_for_one_function_are_not_told_apart() {
    let text = "target triple = \"x86_64-pc-linux-gnu\"
declare i32 @rand()
define i32 @\"NAME\"() { ret i32 -1 }
declare void @reach_error()
define i32 @main() {
  %r = call i32 @rand()
  %c = icmp slt i32 %r, 0
  br i1 %c, label %bad, label %good
bad:
  call void @reach_error()
  unreachable
good:
  ret i32 0
}
";
    let found = |name: &str| {
        let loaded = try_load_as("given.ll", text.replace("NAME", name).as_bytes(), &[]);
        search(&loaded.unwrap_or_else(|error| panic!("{error}")).program)
    };
    let reasons = limits(&found("\\01rand"), text);
    assert!(reasons[0].contains("byte 1"), "{reasons:?}");
    assert!(is_right(&found("other")));
}
