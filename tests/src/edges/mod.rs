//! Random C programs at the edges of meaning: where an object's lifetime ends, a handle is used once too often, a number is
//! made of an address, a synchronisation object is destroyed, a call fails.
//!
//! Each program has one part of a known [kind](EdgeKind), broken or right, and often a right part of another kind, before,
//! after or beside it in another thread. What is known of its meaning comes with it; the rest is for native runs to tell.
//! Threads communicate by atomic variables and synchronisation objects alone, so that optimised native runs mean the same.

mod addresses;
mod codes;
mod content;
mod handles;
mod kinds;
mod lifetimes;
mod moved;
mod objects;
mod part;
mod races;
mod representations;
mod rules;
mod symbols;
mod walks;

use std::fmt::Write as _;

use crate::numbers::Numbers;
pub use kinds::{EdgeKind, KINDS};
pub use part::Meaning;
use part::Part;

/// A random program and what is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeProgram {
    /// The name of the kind that it is about.
    pub kind: &'static str,
    /// Whether the part of that kind was drawn broken.
    pub broken: bool,
    /// What is known about the whole program.
    pub meaning: Meaning,
    /// The C text.
    pub text: String,
}

/// The random program of a seed; the same for the same seed. Even seeds draw a broken part, and the first
/// `2 * KINDS.len()` seeds draw every kind broken and right; later ones prefer those kinds that vary most.
///
/// ```
/// use tests::edge_program;
/// let program = edge_program(42);
/// assert!(program.text.contains("int main(void)"));
/// assert_eq!(program, edge_program(42));
/// ```
pub fn edge_program(seed: u64) -> EdgeProgram {
    let mut numbers = Numbers::new(seed);
    let kinds = KINDS.len();
    let round = (seed / 2 % kinds as u64) as usize;
    let kind = if seed >= 2 * kinds as u64 && numbers.chance(30) {
        kinds - 1 - numbers.below(kinds::RACES)
    } else {
        round
    };
    let kind = &KINDS[kind];
    let broken = seed.is_multiple_of(2);
    let part = (kind.draw)(&mut numbers, broken).numbered(0);
    let mut meaning = part.meaning;
    let beside = numbers.chance(40).then(|| {
        let other = &KINDS[numbers.below(kinds)];
        (other.draw)(&mut numbers, false).numbered(1)
    });
    // With an open part in it, nothing would be known of the whole.
    let beside = beside.filter(|part| part.meaning == Meaning::Right);
    if let Some(part) = &beside {
        meaning = meaning.and(part.meaning);
    }
    let flaw = if broken { "broken" } else { "right" };
    let head = format!(
        "// Edge program {seed}: {} ({flaw}); {meaning:?}\n",
        kind.name
    );
    let text = head + &write(&mut numbers, &part, beside.as_ref());
    EdgeProgram {
        kind: kind.name,
        broken,
        meaning,
        text,
    }
}

const PRELUDE: &str = "\
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int one = 1;

static int initialise_mutex(pthread_mutex_t *mutex, int type) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    return pthread_mutex_init(mutex, &attributes);
}

static int value_of(sem_t *semaphore) {
    int value = -1;
    sem_getvalue(semaphore, &value);
    return value;
}
";

/// The whole program: a function for each part, and main, which calls them.
fn write(numbers: &mut Numbers, part: &Part, other: Option<&Part>) -> String {
    let mut text = PRELUDE.to_owned();
    for (number, part) in [Some(part), other].into_iter().flatten().enumerate() {
        let Part {
            declarations, body, ..
        } = part;
        let _ = write!(
            text,
            "\n{declarations}\nstatic void part{number}(void) {{\n{body}}}\n"
        );
    }
    let (before, after) = match (other.is_some(), numbers.below(4)) {
        (false, _) => ("", ""),
        (true, 0) => ("    part1();\n", ""),
        (true, 1) => ("", "    part1();\n"),
        (true, _) => {
            text.push_str(
                "\nstatic void *beside(void *unused) {\n    part1();\n    return 0;\n}\n",
            );
            let create = "    pthread_t thread;\n    pthread_create(&thread, 0, beside, 0);\n";
            (create, "    pthread_join(thread, 0);\n")
        }
    };
    let ends: String = [Some(part), other]
        .into_iter()
        .flatten()
        .map(|part| part.end_of_main.as_str())
        .collect();
    let _ = write!(
        text,
        "\nint main(void) {{\n{before}    part0();\n{after}{ends}    return 0;\n}}\n"
    );
    text
}

#[cfg(test)]
mod tests;
