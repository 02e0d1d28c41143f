//! The properties that may be verified of a program.

use std::fmt;
use std::str::FromStr;

/// A property of a program, under SV-COMP's name.
///
/// ```
/// use program::model::Property;
/// assert_eq!("unreach-call".parse(), Ok(Property::UnreachCall));
/// assert_eq!(Property::UnreachCall.to_string(), "unreach-call");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// `unreach-call`: no assertion fails, and nothing is called that stands for an error.
    UnreachCall,
    /// `valid-deref`: memory is accessed within objects that live, and constants are not written.
    ValidDeref,
    /// `valid-free`: only what was allocated is freed, and once.
    ValidFree,
    /// `valid-memtrack`: when the program ends, what was allocated and not freed is still pointed to.
    ValidMemtrack,
    /// `no-overflow`: no signed arithmetic, division, remainder or shift has operands for which C gives it no value.
    NoOverflow,
    /// `no-lock-misuse`: locks are initialised, held by whom unlocks them, and not in use when they are destroyed.
    NoLockMisuse,
    /// `no-data-race`: of two accesses by different threads to one place, one of them a write and not both atomic, one happens before the
    /// other.
    NoDataRace,
    /// `no-deadlock`: threads do not wait for good, neither all that have not ended nor some for each other.
    NoDeadlock,
    /// `no-infinite-run`: no run goes on for ever. Threads that wait for good do not go on.
    NoInfiniteRun,
}

impl Property {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::UnreachCall,
        Self::ValidDeref,
        Self::ValidFree,
        Self::ValidMemtrack,
        Self::NoOverflow,
        Self::NoLockMisuse,
        Self::NoDataRace,
        Self::NoDeadlock,
        Self::NoInfiniteRun,
    ];
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnreachCall => "unreach-call",
            Self::ValidDeref => "valid-deref",
            Self::ValidFree => "valid-free",
            Self::ValidMemtrack => "valid-memtrack",
            Self::NoOverflow => "no-overflow",
            Self::NoLockMisuse => "no-lock-misuse",
            Self::NoDataRace => "no-data-race",
            Self::NoDeadlock => "no-deadlock",
            Self::NoInfiniteRun => "no-infinite-run",
        })
    }
}

impl FromStr for Property {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL
            .into_iter()
            .find(|known| known.to_string() == name);
        known.ok_or_else(|| {
            let known = Self::ALL.map(|known| format!("`{known}`")).join(", ");
            format!("unknown property `{name}`: expected {known}")
        })
    }
}
