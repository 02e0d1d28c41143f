//! The engines, each an entry of [`ENGINES`]: the command line, the portfolio and the reports know no others.
//!
//! An engine is asked a [`Question`] about a program and gives an [`Answer`], which nobody believes before its evidence is
//! checked. To add one: a file with its [`Engine`], and a line in the table.

mod answer;
mod bmc;
mod ctigar;
pub(crate) mod explicit;
mod kind;
mod symbolic;

use std::sync::LazyLock;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use system::budget::Budget;

pub use answer::{Answer, LimitReached};

use crate::options::Options;
use crate::progress::Progress;
use crate::report::Queries;
use crate::task::Task;

/// All engines, in the order in which they are started.
pub const ENGINES: [&Engine; 5] = [
    &ctigar::IC3,
    &ctigar::IC3_EXACT,
    &bmc::BMC,
    &kind::KIND,
    &explicit::EXPLICIT,
];

/// A way to decide programs.
#[derive(Debug)]
pub struct Engine {
    /// As on the command line and in reports.
    pub name: &'static str,
    /// What it does, for `--help`.
    pub about: &'static str,
    /// What it works on.
    pub input: Input,
    /// What it gives evidence by: for a violation, and for a proof.
    pub evidence: [&'static str; 2],
    /// What it may take for states beside the budget's limit, if it keeps any.
    pub memory_share: Option<MemoryShare>,
    /// How far it steps back behind the others in the portfolio, as a Unix niceness. There are more engines than processors.
    /// Those that prove most programs go first; the others get what is left, which is enough where they are the ones to
    /// answer: they need little time then.
    pub niceness: i32,
    /// Whether `--predicates` chooses its predicates.
    pub takes_predicates: bool,
    /// Whether the run into a violation that it finds is shown as it is; else a shorter one is looked for.
    pub shows_own_run: bool,
    /// Decides the program, and tells its answer and the solver's queries, if it has a solver.
    pub run: fn(&Question<'_>) -> (Answer, Option<Queries>),
}

/// What an engine works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// The program.
    Program,
    /// The transition system that encodes it.
    System,
}

/// How many bytes an engine may take for states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryShare {
    /// Where other engines run beside it.
    pub beside: u64,
    /// Where it is the only one.
    pub alone: u64,
}

/// What an engine is asked.
#[derive(Debug)]
pub struct Question<'a> {
    /// What it is asked about.
    pub task: &'a Task,
    /// How it is to be decided.
    pub options: &'a Options,
    /// What that may take.
    pub budget: &'a Budget,
    /// Where to show how far it is.
    pub progress: &'a Progress,
}

/// The engines that are asked.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// All, side by side.
    Portfolio,
    /// This one.
    One(&'static Engine),
}

impl Choice {
    /// The engines in the order in which they are started.
    pub(crate) fn engines(self) -> Vec<&'static Engine> {
        self.only()
            .map_or_else(|| ENGINES.to_vec(), |engine| vec![engine])
    }

    /// Whether one of them works on the transition system.
    pub(crate) fn needs_encoding(self) -> bool {
        let mut engines = self.engines().into_iter();
        engines.any(|engine| engine.input == Input::System)
    }

    /// The only engine, if there is one.
    pub(crate) fn only(self) -> Option<&'static Engine> {
        match self {
            Self::Portfolio => None,
            Self::One(engine) => Some(engine),
        }
    }
}

impl ValueEnum for Choice {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<Choice>> = LazyLock::new(|| {
            let one = ENGINES.into_iter().map(Choice::One);
            one.chain([Choice::Portfolio]).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Portfolio => PossibleValue::new("portfolio")
                .help("All engines side by side; the first conclusive answer counts"),
            Self::One(engine) => PossibleValue::new(engine.name).help(engine.about),
        })
    }
}
