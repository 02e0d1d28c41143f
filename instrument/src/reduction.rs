//! The reductions and their names on the command line.

use std::fmt;
use std::str::FromStr;

/// How interleavings are reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reduction {
    /// Other threads may run before every visible statement.
    None,
    /// The mover type of every statement is fixed, and so are the phases of transactions (Lipton, Lamport).
    Static,
    /// The mover type of every statement is fixed; the phase is known at run time where it depends on the way (Flanagan, Qadeer).
    Phase,
    /// The same, and a statement that does not move may do so under a condition on other threads or memory.
    Dynamic,
}

impl Reduction {
    /// All, the weakest first.
    pub const ALL: [Self; 4] = [Self::None, Self::Static, Self::Phase, Self::Dynamic];
}

impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Static => "static",
            Self::Phase => "phase",
            Self::Dynamic => "dynamic",
        })
    }
}

impl FromStr for Reduction {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "none" => Ok(Self::None),
            "static" => Ok(Self::Static),
            "phase" => Ok(Self::Phase),
            "dynamic" => Ok(Self::Dynamic),
            _ => Err(format!(
                "unknown reduction `{name}`: expected `none`, `static`, `phase` or `dynamic`"
            )),
        }
    }
}
