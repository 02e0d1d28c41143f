//! Programs that are too large when each call counts: they are followed as deep as fits, and nothing is said of the rest.

use crate::common::{assert_unknown, last_line, stdout, verify_text};

/// `f12` calls a function for `x` more than 16 million times.
fn program(main: &str) -> String {
    let calls: String = (1..=12)
        .map(|level| {
            let below = level - 1;
            format!(
                "static void f{level}(void) {{ f{below}(); f{below}(); f{below}(); f{below}(); }}\n"
            )
        })
        .collect();
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\nint x;\n\
         static void f0(void) {{ x++; }}\n{calls}static void *start(void *argument) {{ f12(); return argument; }}\n\
         static void *(*chosen)(void *) = start;\n{main}\n"
    )
}

const AT: &str = "in a program of more than 1000000 instructions when each call counts at given.c:";

#[test]
fn what_is_not_followed_is_never_said_to_be_safe() {
    for main in [
        "int main(void) { f12(); assert(x == 0); }",
        "int main(void) { f12(); assert(x != 0); }",
        "int main(void) { chosen(0); assert(x == 0); }",
        "int main(void) { pthread_t t; pthread_create(&t, 0, start, 0); pthread_join(t, 0); assert(x == 0); }",
        "int main(void) { pthread_t t; pthread_create(&t, 0, chosen, 0); pthread_join(t, 0); assert(x == 0); }",
        "static void end(void) { f12(); assert(x == 0); }\nint main(void) { atexit(end); }",
        "__attribute__((destructor)) static void end(void) { f12(); assert(x == 0); }\nint main(void) { }",
        "static void end(void *p) { f12(); assert(p != &x); }\n\
         int main(void) { pthread_key_t k; if (pthread_key_create(&k, end)) return 0; pthread_setspecific(k, &x);\n\
         pthread_exit(0); }",
        "static int below(int n) { f12(); return n ? below(n - 1) : 0; }\nint main(void) { below(2); assert(x == 0); }",
    ] {
        let found = verify_text("given.c", &program(main), &["--timeout", "60"]);
        assert_unknown(&found, &["unsupported call of `", AT]);
        assert!(stdout(&found).contains("unsupported: call of `"), "{main}");
    }
}

#[test]
fn what_is_followed_is_decided() {
    for (main, verdict) in [
        (
            "int main(void) { x = 1; assert(x != 1); f12(); }",
            "VERDICT: UNSAFE (assertion) at given.c:20",
        ),
        (
            "int main(void) { f3(); assert(x != 64); f12(); }",
            "VERDICT: UNSAFE (assertion) at given.c:20",
        ),
        (
            "int main(void) { f3(); if (x != 64) f12(); assert(x == 64 && chosen == start); }",
            "VERDICT: SAFE",
        ),
    ] {
        let found = verify_text("given.c", &program(main), &["--timeout", "60"]);
        assert_eq!(last_line(&found), verdict, "{main}");
    }
}

/// Functions that pass lists of arguments on are inlined before calls are counted, up to a limit of their own.
#[test]
fn formats_are_looked_for_within_bounds() {
    let program = |calls: usize| {
        let body = "x++; ".repeat(300);
        let main = "say(\"%d\", 1); ".repeat(calls);
        let sum = 300 * calls;
        format!(
            "#include <assert.h>\n#include <stdarg.h>\n#include <stdio.h>\nstatic int x;\n\
             static void say(const char *format, ...) {{ {body} va_list list; va_start(list, format);\n\
             vprintf(format, list); va_end(list); }}\n\
             int main(void) {{ {main} assert(x == {sum}); }}\n"
        )
    };
    let few = verify_text("given.c", &program(10), &[]);
    assert_eq!(last_line(&few), "VERDICT: SAFE");
    let many = verify_text("given.c", &program(200), &[]);
    assert_unknown(&many, &["vprintf"]);
}
