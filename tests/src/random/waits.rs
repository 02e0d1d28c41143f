//! Random programs whose threads wait for each other in loops: some rounds of these change nothing, and others change something for a moment.

use std::fmt::Write as _;

use crate::numbers::Numbers;

/// The C text of a random program whose threads wait in loops.
///
/// ```
/// use tests::random_waits;
/// assert!(random_waits(42).contains("main"));
/// assert_eq!(random_waits(42), random_waits(42));
/// ```
pub fn random_waits(seed: u64) -> String {
    let mut numbers = Numbers::new(seed);
    let mut text = format!("// Random waits {seed}\n{PRELUDE}");
    let threads = 2 + numbers.below(2);
    for variable in 0..VARIABLES {
        let kind = numbers.pick(&["_Atomic int", "volatile _Atomic int"]);
        let _ = writeln!(text, "{kind} v{variable} = {};", numbers.below(2));
    }
    let routines = 1 + numbers.below(threads);
    for routine in 0..routines {
        let _ = write!(
            text,
            "\nvoid *routine{routine}(void *argument) {{\n    int x = {}, e = {};\n",
            numbers.below(2),
            numbers.below(2)
        );
        for _ in 0..1 + numbers.below(3) {
            statement(&mut text, &mut numbers, 1);
        }
        text.push_str("    (void)x, (void)e;\n    return argument;\n}\n");
    }
    let _ = write!(
        text,
        "\nint main(void) {{\n    int x = 0, e = 0;\n    pthread_t t[{threads}];\n"
    );
    for thread in 0..threads {
        let _ = writeln!(
            text,
            "    pthread_create(&t[{thread}], 0, routine{}, 0);",
            thread % routines
        );
    }
    statement(&mut text, &mut numbers, 1);
    if numbers.chance(50) {
        for thread in 0..threads {
            let _ = writeln!(text, "    pthread_join(t[{thread}], 0);");
        }
    }
    let _ = writeln!(text, "    assert({});", condition(&mut numbers));
    text.push_str("    (void)x, (void)e;\n    return 0;\n}\n");
    text
}

const PRELUDE: &str = "\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int changed(int *number) {
    *number = (*number + 1) & 1;
    return *number;
}
";

const VARIABLES: usize = 3;

/// A statement with its line ends. `x` is a local that is never in memory, and the address of `e` is handed on.
fn statement(text: &mut String, numbers: &mut Numbers, depth: usize) {
    let indent = "    ".repeat(depth);
    let is_loop = depth < 3 && numbers.chance(60);
    if !is_loop {
        let line = simple(numbers);
        let _ = writeln!(text, "{indent}{line}");
        return;
    }
    let condition = condition(numbers);
    if numbers.chance(20) {
        let _ = writeln!(text, "{indent}while ({condition})\n{indent}    ;");
        return;
    }
    let begins_late = numbers.chance(30);
    let _ = match begins_late {
        true => writeln!(text, "{indent}do {{"),
        false => writeln!(text, "{indent}while ({condition}) {{"),
    };
    let atomic = numbers.chance(15);
    if atomic {
        let _ = writeln!(text, "{indent}    __VERIFIER_atomic_begin();");
    }
    for _ in 0..1 + numbers.below(2) {
        match atomic {
            true => {
                let line = simple(numbers);
                let _ = writeln!(text, "{indent}    {line}");
            }
            false => statement(text, numbers, depth + 1),
        }
    }
    if atomic {
        let _ = writeln!(text, "{indent}    __VERIFIER_atomic_end();");
    }
    let _ = match begins_late {
        true => writeln!(text, "{indent}}} while ({condition});"),
        false => writeln!(text, "{indent}}}"),
    };
}

/// A statement without a loop. All numbers stay small.
fn simple(numbers: &mut Numbers) -> String {
    let v = numbers.below(VARIABLES);
    let w = numbers.below(VARIABLES);
    let value = numbers.below(3);
    match numbers.below(15) {
        0 | 1 => format!("v{v} = {value};"),
        2 => format!("v{v} = x & 3;"),
        3 => format!("x = v{v};"),
        4 => "x = (x + 1) & 3;".into(),
        5 => format!("e = v{v};"),
        6 => format!("e = {value};"),
        7 => format!("v{v} = 1 - v{v};\n    v{v} = 1 - v{v};"),
        8 => format!("x ^= __VERIFIER_nondet_bool();\n    v{v} = x & 1;"),
        9 => format!("assert({});", condition(numbers)),
        10 => format!("if ({})\n        v{v} = {value};", condition(numbers)),
        11 => format!("pthread_mutex_lock(&m);\n    v{v} = v{w};\n    pthread_mutex_unlock(&m);"),
        12 => format!("__VERIFIER_assume(v{v} == {value});"),
        13 => format!("v{v} = v{v};"),
        _ => format!(
            "e = {value};\n    atomic_compare_exchange_strong(&v{v}, &e, {});",
            numbers.below(3)
        ),
    }
}

fn condition(numbers: &mut Numbers) -> String {
    let v = numbers.below(VARIABLES);
    let w = numbers.below(VARIABLES);
    let value = numbers.below(3);
    match numbers.below(10) {
        0 | 1 => format!("v{v} == {value}"),
        2 | 3 => format!("v{v} != {value}"),
        4 => format!("atomic_exchange(&v{v}, {value})"),
        5 => format!("v{v} && v{w}"),
        6 => format!("x != v{v}"),
        7 => format!("e == {value} && v{v}"),
        8 => match numbers.chance(50) {
            true => "changed(&e)".into(),
            false => format!("!atomic_compare_exchange_strong(&v{v}, &e, {value})"),
        },
        _ => "__VERIFIER_nondet_bool()".into(),
    }
}
