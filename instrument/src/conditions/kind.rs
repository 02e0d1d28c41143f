//! The kinds of both-moving conditions, by the names that users give them.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::reduction::Reduction;

/// What a condition may look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(test, derive(clap::ValueEnum))]
pub enum ConditionKind {
    /// Where other threads are.
    Reachability,
    /// With which addresses they are going to access memory.
    Pointer,
    /// What memory holds that is only changed by compare-and-swap.
    Cas,
    /// Which mutexes they have to take.
    Lock,
}

impl ConditionKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Reachability, Self::Pointer, Self::Cas, Self::Lock];

    /// The names of all, for texts that list them.
    pub fn names() -> String {
        Self::ALL.map(|kind| format!("`{kind}`")).join(", ")
    }

    /// Those that are named; all if none is.
    ///
    /// # Errors
    /// Some are named although the reduction has no conditions; what to do about that.
    pub fn chosen(named: &[Self], reduction: Reduction) -> Result<BTreeSet<Self>, &'static str> {
        match named {
            [] => Ok(Self::ALL.into()),
            _ if reduction == Reduction::Dynamic => Ok(named.iter().copied().collect()),
            _ => Err("only --reduction dynamic has conditions: name it, or leave --dynamic out"),
        }
    }
}

impl fmt::Display for ConditionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reachability => "reachability",
            Self::Pointer => "pointer",
            Self::Cas => "cas",
            Self::Lock => "lock",
        })
    }
}

impl FromStr for ConditionKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|kind| kind.to_string() == name);
        known.ok_or_else(|| {
            let names = Self::names();
            format!("unknown condition `{name}`: expected one of {names}")
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn no_kind_is_missing() {
        assert_eq!(ConditionKind::ALL, ConditionKind::value_variants());
    }
}
