//! How many threads a statement in a loop may create: `--threads`.

use std::fmt;
use std::str::FromStr;

use program::threads::Bounds;

/// How often a thread that is created in a loop or recursively is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadBound {
    /// So often at most: what runs do beyond is not looked at.
    AtMost(u32),
    /// Any number of times.
    Any,
}

impl ThreadBound {
    /// The bound, if there is one.
    pub(crate) fn at_most(self) -> Option<u32> {
        match self {
            Self::AtMost(threads) => Some(threads),
            Self::Any => None,
        }
    }
}

/// How [`ThreadBound::Any`] is written.
const ANY: &str = "any";

impl fmt::Display for ThreadBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(threads) => threads.fmt(f),
            Self::Any => f.write_str(ANY),
        }
    }
}

impl FromStr for ThreadBound {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == ANY {
            return Ok(Self::Any);
        }
        let (first, last) = Bounds::THREADS.into_inner();
        let threads = text.parse().ok();
        let threads = threads.filter(|threads| Bounds::THREADS.contains(threads));
        threads.map(Self::AtMost).ok_or_else(|| {
            format!(
                "a number from {first} to {last} is expected, or `{ANY}` for any number of threads"
            )
        })
    }
}
