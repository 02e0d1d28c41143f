//! Random programs whose threads add to shared numbers: what is read depends on who came before, not on who was the last.

use std::fmt::Write as _;

use crate::numbers::Numbers;

/// The C text of a random program in which threads add numbers to counters, and what they read is compared with sums of some of these.
///
/// ```
/// use tests::random_counters;
/// assert!(random_counters(42).contains("_Atomic"));
/// assert_eq!(random_counters(42), random_counters(42));
/// ```
pub fn random_counters(seed: u64) -> String {
    let mut numbers = Numbers::new(seed);
    let mut text = format!("// Random counters {seed}\n{PRELUDE}");
    let threads = 3 + numbers.below(2);
    // What a counter begins with, and what is added to it.
    let mut added: [Vec<i32>; 2] = [0, 1].map(|_| vec![numbers.pick(&STARTS)]);
    for (counter, start) in added.iter().enumerate() {
        let kind = numbers.pick(&["int", "unsigned short", "long", "signed char"]);
        let start = start[0];
        let _ = writeln!(text, "_Atomic {kind} c{counter} = {start};");
    }
    // What is certain of the order of events is looked at where nothing else is violated.
    let is_joined_early = numbers.chance(40);
    let kinds = if is_joined_early { 2 } else { 6 };
    let mut routines = Vec::new();
    for thread in 0..threads {
        let mut body = match thread {
            0 => "    begun = 1;\n".to_owned(),
            _ => String::new(),
        };
        for _ in 0..1 + numbers.below(2) {
            statement(&mut body, &mut numbers, &mut added, kinds);
        }
        routines.push(body);
    }
    for (routine, body) in routines.iter().enumerate() {
        let _ = write!(
            text,
            "\nvoid *routine{routine}(void *argument) {{\n{body}    return argument;\n}}\n"
        );
    }
    let _ = write!(text, "\nint main(void) {{\n    pthread_t t[{threads}];\n");
    for routine in 0..threads {
        let _ = writeln!(
            text,
            "    pthread_create(&t[{routine}], 0, routine{routine}, 0);"
        );
    }
    if is_joined_early {
        join_in_branch(&mut text, &mut numbers, &mut added);
    }
    if numbers.chance(30) {
        statement(&mut text, &mut numbers, &mut added, kinds);
    }
    if numbers.chance(80) {
        for thread in 0..threads {
            let unless = match is_joined_early && thread == 0 {
                true => "if (!joined)\n        ",
                false => "",
            };
            let _ = writeln!(text, "    {unless}pthread_join(t[{thread}], 0);");
        }
    }
    if !is_joined_early {
        let counter = numbers.below(2);
        let sum = some_sum(&mut numbers, &added[counter]);
        let _ = writeln!(text, "    assert(c{counter} != {sum});");
    }
    text.push_str("    return 0;\n}\n");
    text
}

const PRELUDE: &str = "\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int condition);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int joined;
static _Atomic int begun;
";

/// Near the largest numbers of few bits.
const STARTS: [i32; 6] = [0, 0, 1, 125, -127, 2040];

const ADDENDS: [i32; 7] = [1, 1, 2, -1, 3, 128, 1000];

/// One of the first so many kinds of statements; the first two only add.
fn statement(text: &mut String, numbers: &mut Numbers, added: &mut [Vec<i32>; 2], kinds: usize) {
    let counter = numbers.below(2);
    let number = numbers.pick(&ADDENDS);
    let sum = some_sum(numbers, &added[counter]);
    let _ = match numbers.below(kinds) {
        0 => writeln!(text, "    atomic_fetch_add(&c{counter}, {number});"),
        1 => writeln!(text, "    atomic_fetch_sub(&c{counter}, {});", -number),
        2 => writeln!(
            text,
            "    assert(atomic_fetch_add(&c{counter}, {number}) != {sum});"
        ),
        3 => writeln!(
            text,
            "    pthread_mutex_lock(&m);\n    c{counter} = c{counter} + {number};\n    pthread_mutex_unlock(&m);"
        ),
        4 => writeln!(
            text,
            "    if (c{} != {sum})\n        c{counter} += {number};",
            1 - counter
        ),
        _ => writeln!(text, "    c{counter} += c{};", 1 - counter),
    };
    added[counter].push(number);
}

/// The first thread is joined in one branch, or waited for; behind both the counters are read. So what is certain of the order of events is
/// certain only if both happen.
fn join_in_branch(text: &mut String, numbers: &mut Numbers, added: &mut [Vec<i32>; 2]) {
    let counter = numbers.below(2);
    let sum = some_sum(numbers, &added[counter]);
    let condition = match numbers.chance(50) {
        true => "__VERIFIER_nondet_bool()".to_owned(),
        false => format!("c{counter} == {sum}"),
    };
    let wait = match numbers.chance(70) {
        true => "pthread_join(t[0], 0);\n        joined = 1;".to_owned(),
        false => format!("__VERIFIER_assume(c{} != {sum});", 1 - counter),
    };
    let counter = numbers.below(2);
    // No sum is that large, so that only the read counts.
    let sum = match numbers.chance(30) {
        true => some_sum(numbers, &added[counter]),
        false => 12345,
    };
    let _ = writeln!(
        text,
        "    if ({condition}) {{\n        {wait}\n        assert(c{counter} != {sum});\n    }}\n    assert(joined || begun);"
    );
}

/// The sum of the first number and some of the others, which may be reached.
fn some_sum(numbers: &mut Numbers, added: &[i32]) -> i32 {
    let (first, others) = added.split_first().expect("a counter begins with a number");
    let chosen = others.iter().filter(|_| numbers.chance(60));
    first + chosen.sum::<i32>()
}
