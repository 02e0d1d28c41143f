//! How a program is read.

use std::ops::RangeInclusive;

use program::model::{DataModel, HeapSite};

/// Bounds that apply while a program is read, and what is taken for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// How many calls may be nested within a cycle of the call graph; deeper ones reach
    /// [`program::model::LimitKind::Recursion`].
    pub recursion: u32,
    /// How many bytes are reserved for an allocation whose size is computed.
    pub allocation: u32,
    /// Whether `abort` and ending the process by `exit` with another status than 0 violate the property.
    pub abort_is_error: bool,
    /// The data model that the program must have, if it must have a certain one.
    pub data_model: Option<DataModel>,
    /// What calls of functions without definition mean.
    pub undefined: UndefinedFunctions,
    /// Whether a trap of clang's checks of operands has no defined meaning. Else it ends the run.
    pub checks_overflow: bool,
    /// Whether it is verified that locks are used as they must be.
    pub verifies_locks: bool,
    /// Whether threads are looked for that wait for good.
    pub looks_for_deadlocks: bool,
    /// Whether accesses are looked for that race.
    pub looks_for_races: bool,
    /// Whether memory is looked for that is lost when the program ends.
    pub looks_for_leaks: bool,
    /// Whether runs that go on for ever are looked for: then the return of `main` ends all threads. Otherwise they may go on, which violates no
    /// more.
    pub looks_for_infinite_runs: bool,
}

/// What the call of a function means that is neither defined nor one of the library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UndefinedFunctions {
    /// A construct that is not read.
    #[default]
    Stop,
    /// It returns any value, gives the variables that its arguments point into any content, and does nothing else.
    Arbitrary,
}

impl ReadOptions {
    /// How deep a recursion may be asked for.
    pub const RECURSION: RangeInclusive<u32> = 0..=1024;
    /// How many bytes may be reserved for an allocation whose size is computed.
    pub const ALLOCATION: RangeInclusive<u32> = 1..=1 << 16;
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            recursion: 8,
            allocation: HeapSite::RESERVED,
            abort_is_error: false,
            data_model: None,
            undefined: UndefinedFunctions::Stop,
            checks_overflow: false,
            verifies_locks: false,
            looks_for_deadlocks: false,
            looks_for_races: false,
            looks_for_leaks: false,
            looks_for_infinite_runs: false,
        }
    }
}
