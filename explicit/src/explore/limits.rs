//! Options of a search: its scheduling points, and its limits.

use system::budget::Budget;

use crate::observed::Distinctions;

/// How a search goes and when it gives up.
#[derive(Clone, Debug)]
pub struct SearchLimits {
    /// Number of states.
    pub states: u64,
    /// Number of turns, with all choices: one state may have more choices than a search can try.
    pub turns: u64,
    /// Time and memory of the process, and who may stop the search.
    pub budget: Budget,
    /// Memory for states, in bytes.
    pub memory: u64,
    /// Whether to search breadth-first, so that an error is found with the fewest turns of threads.
    pub shortest: bool,
    /// As many nondeterministic values as so many bits have are tried, if they stand for all.
    pub complete_width: u32,
    /// What the program tells apart of nondeterministic values, if another search of the same program may have found that out.
    pub distinctions: Distinctions,
    /// Where threads take turns.
    pub scheduling: Scheduling,
    /// Whether only runs go on for ever in which every thread that is able to move again and again moves again and again.
    pub fair: bool,
}

/// Where threads take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduling {
    /// Before every statement that others can see.
    Visible,
    /// Only where [`program::model::Location::external`] says so: the reduced relation of the paper, Sec. 4.3.
    External,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self {
            states: u64::from(u32::MAX - 1),
            turns: u64::MAX,
            budget: Budget::unlimited(),
            memory: 4 << 30,
            shortest: false,
            complete_width: 8,
            distinctions: Distinctions::default(),
            scheduling: Scheduling::Visible,
            fair: false,
        }
    }
}
