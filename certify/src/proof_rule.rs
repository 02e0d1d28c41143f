//! Proof rules: why a system is safe, without the system itself.

use std::fmt;
use std::str::FromStr;

/// The kind of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofRule {
    /// The invariant is inductive and excludes bad states.
    Inductive,
    /// Induction over several states.
    KInduction {
        /// How many good states are assumed, at least 1.
        depth: usize,
        /// In which state variables, by position and in this order, these are assumed to differ, if they are.
        distinct: Option<Vec<usize>>,
    },
    /// No run is longer.
    Exhausted {
        /// The number of its transitions.
        depth: usize,
    },
}

impl fmt::Display for ProofRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inductive => write!(f, "inductive invariant"),
            Self::Exhausted { depth } => write!(f, "exhausted runs of {depth} transitions"),
            Self::KInduction { depth, distinct } => {
                write!(f, "induction over {depth} states")?;
                let Some(distinct) = distinct else {
                    return Ok(());
                };
                write!(f, " that differ in variables")?;
                distinct
                    .iter()
                    .try_for_each(|variable| write!(f, " {variable}"))
            }
        }
    }
}

impl FromStr for ProofRule {
    type Err = ();

    /// Reads what `Display` writes, and nothing else.
    fn from_str(text: &str) -> Result<Self, ()> {
        let words: Vec<&str> = text.split(' ').collect();
        let number = |word: &str| word.parse::<usize>().map_err(|_| ());
        let argument = match words.as_slice() {
            ["inductive", "invariant"] => Self::Inductive,
            ["exhausted", "runs", "of", depth, "transitions"] => Self::Exhausted {
                depth: number(depth)?,
            },
            ["induction", "over", depth, "states"] => Self::KInduction {
                depth: number(depth)?,
                distinct: None,
            },
            [
                "induction",
                "over",
                depth,
                "states",
                "that",
                "differ",
                "in",
                "variables",
                variables @ ..,
            ] => Self::KInduction {
                depth: number(depth)?,
                distinct: Some(
                    variables
                        .iter()
                        .map(|word| number(word))
                        .collect::<Result<_, _>>()?,
                ),
            },
            _ => return Err(()),
        };
        (argument.is_well_formed() && argument.to_string() == text)
            .then_some(argument)
            .ok_or(())
    }
}

impl ProofRule {
    /// Over how many transitions it speaks.
    pub fn depth(&self) -> usize {
        match *self {
            Self::Inductive => 1,
            Self::KInduction { depth, .. } | Self::Exhausted { depth } => depth,
        }
    }

    /// In which state variables states are assumed to differ, if they are.
    pub fn distinct(&self) -> Option<&[usize]> {
        match self {
            Self::Inductive | Self::Exhausted { .. } => None,
            Self::KInduction { distinct, .. } => distinct.as_deref(),
        }
    }

    fn is_well_formed(&self) -> bool {
        let is_positive = !matches!(self, Self::KInduction { depth: 0, .. });
        let distinct = self.distinct().unwrap_or_default();
        is_positive && distinct.is_sorted_by(|one, next| one < next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let inductions = [None, Some(vec![]), Some(vec![1, 3])]
            .map(|distinct| ProofRule::KInduction { depth: 4, distinct });
        let others = [ProofRule::Inductive, ProofRule::Exhausted { depth: 0 }];
        for argument in inductions.into_iter().chain(others) {
            assert_eq!(argument.to_string().parse(), Ok(argument));
        }
        for wrong in [
            "induction over 0 states",
            "induction over +2 states",
            "induction over 2 states that differ in variables 3 1",
            "induction over 2 states that differ in variables 1 1",
            "exhausted runs of -1 transitions",
            "inductive invariant ",
        ] {
            assert_eq!(wrong.parse::<ProofRule>(), Err(()), "{wrong}");
        }
    }
}
