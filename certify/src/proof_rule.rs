//! Proof rules: why a system is safe, without the system itself.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::count::Count;

/// Threads that are alike, two at least: by thread, the positions of its state variables.
pub type Family = Vec<Vec<usize>>;

/// Proofs about more threads have too many positions.
pub const MOST_THREADS: usize = 16;

/// How many of the threads of all families an invariant may speak of at a time: one beside them may move.
pub(crate) fn width(families: &[Family]) -> usize {
    let members = families.iter().map(Vec::len).min();
    members.unwrap_or_default().saturating_sub(1)
}

/// The sets of so many of the first numbers.
pub(crate) fn subsets(numbers: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let Some(last) = numbers.checked_sub(1) else {
        return Vec::new();
    };
    let mut with = subsets(last, size - 1);
    with.iter_mut().for_each(|set| set.push(last));
    with.extend(subsets(last, size));
    with
}

/// The kind of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofRule {
    /// The invariant is inductive and excludes bad states.
    Inductive,
    /// The same of a system in which some threads stand for any number of others: the invariant holds whichever of them they stand
    /// for.
    ForAll {
        /// The threads, by those that stand for the same ones.
        families: Vec<Family>,
        /// Variables that count threads.
        counts: Vec<Count>,
    },
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

/// What the text of [`ProofRule::ForAll`] begins with.
const FOR_ALL: &str = "inductive invariant for any number of threads: ";

/// What stands before each variable that counts.
const COUNTED: &str = " / ";

/// Numbers with spaces between.
fn words(numbers: &[usize]) -> String {
    joined(numbers.iter().map(usize::to_string), " ")
}

fn joined(words: impl Iterator<Item = String>, separator: &str) -> String {
    words.collect::<Vec<_>>().join(separator)
}

impl fmt::Display for ProofRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inductive => write!(f, "inductive invariant"),
            Self::ForAll { families, counts } => {
                let family = |members: &Family| joined(members.iter().map(|all| words(all)), " | ");
                let families = joined(families.iter().map(family), "; ");
                write!(f, "{FOR_ALL}{families}")?;
                let mut counts = counts.iter();
                counts.try_for_each(|count| write!(f, "{COUNTED}{count}"))
            }
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
        let number = |word: &str| word.parse::<usize>().map_err(|_| ());
        if let Some(families) = text.strip_prefix(FOR_ALL) {
            let member = |text: &str| text.split(' ').map(number).collect::<Result<Vec<_>, _>>();
            let family = |text: &str| text.split(" | ").map(member).collect::<Result<_, _>>();
            let mut parts = families.split(COUNTED);
            let families = parts.next().unwrap_or_default();
            let families = families.split("; ").map(family).collect::<Result<_, _>>()?;
            let counts = parts.map(Count::from_str).collect::<Result<_, _>>()?;
            let rule = Self::ForAll { families, counts };
            let is_read = rule.is_well_formed() && rule.to_string() == text;
            return is_read.then_some(rule).ok_or(());
        }
        let words: Vec<&str> = text.split(' ').collect();
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
    /// How many positions follow the first one of which it speaks.
    pub fn depth(&self) -> usize {
        match *self {
            Self::Inductive => 1,
            Self::ForAll { ref families, .. } => {
                let threads = families.iter().map(Vec::len).sum();
                subsets(threads, width(families)).len()
            }
            Self::KInduction { depth, .. } | Self::Exhausted { depth } => depth,
        }
    }

    /// In which state variables states are assumed to differ, if they are.
    pub fn distinct(&self) -> Option<&[usize]> {
        match self {
            Self::Inductive | Self::ForAll { .. } | Self::Exhausted { .. } => None,
            Self::KInduction { distinct, .. } => distinct.as_deref(),
        }
    }

    /// The threads that stand for any number of others.
    pub fn families(&self) -> &[Family] {
        match self {
            Self::ForAll { families, .. } => families,
            Self::Inductive | Self::KInduction { .. } | Self::Exhausted { .. } => &[],
        }
    }

    /// The variables that count threads.
    pub fn counts(&self) -> &[Count] {
        match self {
            Self::ForAll { counts, .. } => counts,
            Self::Inductive | Self::KInduction { .. } | Self::Exhausted { .. } => &[],
        }
    }

    /// Whether it can be written, and means something.
    pub(crate) fn is_well_formed(&self) -> bool {
        if let Self::ForAll { families, counts } = self {
            let is_family = |family: &Family| {
                family.len() > 1 && family.iter().all(|member| !member.is_empty())
            };
            let threads: usize = families.iter().map(Vec::len).sum();
            let mut seen = BTreeSet::new();
            let mut variables = families.iter().flatten().flatten();
            return !families.is_empty()
                && threads <= MOST_THREADS
                && families.iter().all(is_family)
                && variables.all(|variable| seen.insert(variable))
                && counts.iter().all(|count| count.is_well_formed(families));
        }
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
        let families = || vec![vec![vec![1, 0], vec![2, 5]], vec![vec![3], vec![4]]];
        let count = |is_flag| Count {
            variable: 7,
            counts_down: is_flag,
            is_flag,
            from: 9,
            places: vec![(1, vec![0, 3]), (2, vec![0, 3])],
            beside: match is_flag {
                true => vec![(8, vec![(1, 5), (2, 6)]), (9, vec![(0, 1)])],
                false => vec![],
            },
        };
        let [for_all, counting] =
            [vec![], vec![count(false), count(true)]].map(|counts| ProofRule::ForAll {
                families: families(),
                counts,
            });
        let others = [
            for_all,
            counting,
            ProofRule::Inductive,
            ProofRule::Exhausted { depth: 0 },
        ];
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
            "inductive invariant for any number of threads: ",
            "inductive invariant for any number of threads: 1",
            "inductive invariant for any number of threads: 1 | ",
            "inductive invariant for any number of threads: 1 | 1",
            "inductive invariant for any number of threads: 1 | 2; 2 | 3",
        ] {
            assert_eq!(wrong.parse::<ProofRule>(), Err(()), "{wrong}");
        }
        for wrong in [
            "",
            "7",
            "7 counts up from 0:",
            "7 counts up from 0: 1 in 0",
            "7 counts up from 0: 1 in 0, 2 in 1",
            "7 counts up from 0: 2 in 0, 1 in 0",
            "7 counts up from 0: 1 in 1 0, 2 in 1 0",
            "7 counts up from 0: 3 in 0",
            "7 counts up from 0: 1 in 0, 2 in 0, 3 in 0",
            "1 counts up from 0: 1 in 0, 2 in 0",
            "7 knows up from 0: 1 in 0, 2 in 0",
            "7 counts on from 0: 1 in 0, 2 in 0",
            "7 counts up from 01: 1 in 0, 2 in 0",
            "7 counts up from 0: 1 in 0, 2 in 0 beside ",
            "7 counts up from 0: 1 in 0, 2 in 0 beside 1 at 0+1",
            "7 counts up from 0: 1 in 0, 2 in 0 beside 7 at 0+1",
            "7 counts up from 0: 1 in 0, 2 in 0 beside 8 at 0",
            "7 counts up from 0: 1 in 0, 2 in 0 beside 8 at 1+1 0+1",
        ] {
            let text = format!("inductive invariant for any number of threads: 1 | 2 / {wrong}");
            assert_eq!(text.parse::<ProofRule>(), Err(()), "{text}");
        }
        // A thread that is counted for each of two variables.
        let two = "1 3 | 2 4 / 7 counts up from 0: 1 in 0, 2 in 0";
        for (counted, is_read) in [("", true), (", 3 in 0, 4 in 0", false)] {
            let text = format!("inductive invariant for any number of threads: {two}{counted}");
            assert_eq!(text.parse::<ProofRule>().is_ok(), is_read, "{text}");
        }
    }
}
