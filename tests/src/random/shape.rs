//! How large a random program is.

use crate::numbers::Numbers;

/// How large a random program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Threads beside main; at least 1.
    pub threads: usize,
    /// Shared variables; at least 1.
    pub variables: usize,
    /// Mutexes; at least 1.
    pub mutexes: usize,
    /// Whether there is one of C11, too.
    pub has_c11_mutex: bool,
    /// How many shared accesses all threads make together, roughly; the number of states grows exponentially with it.
    pub accesses: usize,
    /// Shared pointers to heap objects; if there are none, the program has no undefined behaviour.
    pub heap_pointers: usize,
}

impl Shape {
    /// Two or three threads and two to four variables, varying with the seed; small enough for exhaustive exploration.
    pub fn small(seed: u64) -> Self {
        // Another sequence than the one that `random_program` draws from.
        let mut numbers = Numbers::new(!seed);
        let threads = numbers.pick_weighted(&[(3, 2), (1, 3)]);
        Self {
            threads,
            variables: 2 + numbers.below(3),
            mutexes: 1 + numbers.below(2),
            has_c11_mutex: numbers.chance(30),
            accesses: if threads == 2 { 16 } else { 14 },
            heap_pointers: 0,
        }
    }

    /// The same with heap objects.
    pub fn small_with_heap(seed: u64) -> Self {
        let small = Self::small(seed);
        Self {
            heap_pointers: 1 + (seed % 2) as usize,
            accesses: small.accesses + 4,
            ..small
        }
    }
}
