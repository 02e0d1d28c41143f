//! Functions of the C library about memory, texts and the heap.

use super::{fails, holds, reaches_limit};
use crate::common::c::{PRELUDE, outcome};
use crate::common::is_refuted;

#[test]
fn strings_and_blocks_of_memory() {
    let data = "char text[16] = \"hello\"; char other[16]; volatile int n = 11; int numbers[20];";
    holds(
        data,
        "PROPERTY(strlen(text) == 5 && strcmp(text, \"help\") < 0 && strncmp(text, \"help\", 3) == 0);",
    );
    holds(
        data,
        "strcpy(other, text); strcat(other, \"!\"); PROPERTY(other[4] == 'o' && other[5] == '!' && other[6] == 0 && strchr(other, 'l') == other + 2);",
    );
    holds(
        data,
        "memset(other, 7, n); memmove(text + 1, text, 5); PROPERTY(other[10] == 7 && other[11] == 0 && text[0] == 'h' && text[1] == 'h' && text[5] == 'o');",
    );
    holds(
        data,
        "memset(numbers, 255, sizeof numbers); numbers[3] = 5; int copy[20]; memcpy(copy, numbers, sizeof copy); PROPERTY(copy[3] == 5 && copy[19] == -1 && memcmp(copy, numbers, n) == 0);",
    );
}

#[test]
fn the_heap_is_modelled() {
    holds(
        "",
        "int *p = malloc(8); p[1] = 3; int *q = calloc(2, 4); PROPERTY(p[1] == 3 && q[1] == 0 && p != q);",
    );
    holds(
        "",
        "int *p = malloc(8); p[0] = 5; p = realloc(p, 4); void *q; int e = posix_memalign(&q, 8, 16); PROPERTY(p[0] == 5 && e == 0);",
    );
    reaches_limit("", "int *p = malloc(8); free(p); p[0] = 1;", "undefined");
    reaches_limit("", "int *p = malloc(8); p[2] = 1;", "undefined");
}

#[test]
fn numbers_that_are_read_from_text_are_arbitrary() {
    let scan = "extern int sscanf(const char *, const char *, ...); extern int atoi(const char *); extern long atol(const char *);";
    for arbitrary in [
        "int x = 5; sscanf(\"1\", \"%d\", &x); PROPERTY(x == 5);",
        "int x = 5; sscanf(\"1\", \"%d\", &x); PROPERTY(x != 5);",
        "int x; PROPERTY(sscanf(\"1\", \" %d\", &x) == 1);",
        "long x = 0; short y = 5; sscanf(\"1 2\", \"%ld %*d %hd\", &x, &y); PROPERTY(x == 0 || y == 5);",
        "char text[] = \"1\"; PROPERTY(atoi(text) == 1);",
        "char text[] = \"1\"; PROPERTY(atol(text) != 1);",
        "PROPERTY(atoi(\"2147483648\") != 2147483647);",
    ] {
        fails(scan, arbitrary);
    }
    for allowed in [
        "int x; int n = sscanf(\"1\", \"%d\", &x); PROPERTY(n >= -1 && n <= 1);",
        "int x = 5; int n = sscanf(\"1\", \"%d\", &x); PROPERTY(n == 1 || x == 5);",
        "int x = 5, y = 6; int n = sscanf(\"1 2\", \"%d %d\", &x, &y); PROPERTY(n == 2 || y == 6);",
        "char x[2] = {5, 6}; sscanf(\"1\", \"%hhd\", x); PROPERTY(x[1] == 6);",
        "short x[2] = {5, 6}; sscanf(\"1\", \"%hd\", x); PROPERTY(x[1] == 6);",
        "PROPERTY(atoi(\"-2147483648\") == -2147483647 - 1);",
    ] {
        let text = format!(
            "{PRELUDE}#define PROPERTY(c) do {{ if (!(c)) reach_error(); }} while (0)\n{scan}\nint main(void) {{ {allowed} return 0; }}\n"
        );
        let found = outcome(&text, &["-O0"]);
        assert!(!is_refuted(&found), "{allowed}");
    }
    reaches_limit(scan, "return atoi(0);", "undefined");
    let own = "int flag; int sscanf(const char *text, const char *format, int *target) { flag = 1; return 0; }";
    fails(own, "int x; sscanf(\"1\", \"%d\", &x); PROPERTY(!flag);");
    reaches_limit(scan, "int x; return sscanf(0, \"%d\", &x);", "undefined");
}
