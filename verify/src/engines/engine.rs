//! The description of an engine, and the question that it is asked.

use system::budget::Budget;

use super::{Answer, Settings};
use crate::progress::Progress;
use crate::report::Queries;
use crate::task::Task;

/// A way to decide programs.
#[derive(Debug)]
pub struct Engine {
    /// As on the command line and in reports.
    pub name: &'static str,
    /// What it does, for `--help`.
    pub about: &'static str,
    /// What it works on.
    pub input: EngineInput,
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
    /// Whether `--unwind` and `--scheduling` are for it.
    pub orders_events: bool,
    /// Whether `--scope` is for it.
    pub takes_scope: bool,
    /// Whether it proves programs for any number of threads.
    pub for_any_number: bool,
    /// Whether it looks for runs that go on for ever.
    pub for_infinite_runs: bool,
    /// Whether the run into a violation that it finds is shown as it is; else a shorter one is looked for.
    pub shows_own_run: bool,
    /// Decides the program, and tells its answer and the solver's queries, if it has a solver.
    pub run: fn(&Question<'_>) -> (Answer, Option<Queries>),
}

/// What an engine works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EngineInput {
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
    pub settings: Settings,
    /// Whether this engine is the only one.
    pub alone: bool,
    /// The limit on the memory of the process in MiB, if there is one.
    pub memory: Option<u64>,
    /// What that may take.
    pub budget: &'a Budget,
    /// Where to show how far it is.
    pub progress: &'a Progress,
}
