//! The settings of engines and solvers.

use clap::{Args, ValueEnum};

/// The choices that engines leave to the user.
#[derive(Clone, Copy, Debug, Args)]
pub struct Settings {
    /// The solver below the symbolic engines.
    #[arg(long, value_enum, default_value_t = SolverChoice::Cadical)]
    pub solver: SolverChoice,

    /// How many transitions bmc and kind unroll at most.
    #[arg(long, value_name = "N")]
    pub depth: Option<usize>,

    /// How often eventgraph lets a run pass the header of a loop again at most (default: more and more often).
    #[arg(long, value_name = "N")]
    pub unwind: Option<u32>,

    /// What eventgraph says of the order of events before it looks at models (default encoded).
    #[arg(long, value_enum)]
    pub scheduling: Option<SchedulingChoice>,

    /// The predicates that the engine ic3 starts with (default affine; ic3-exact has exact).
    #[arg(long, value_enum)]
    pub predicates: Option<PredicateChoice>,

    /// What the predicates of a thread may speak of in the engine modular (default own).
    #[arg(long, value_enum)]
    pub scope: Option<ScopeChoice>,

    /// How many steps of a path may be spurious before the engines ic3 and ic3-exact refine their predicates.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub max_spurious: usize,
}

/// The predicates that IC3 starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PredicateChoice {
    /// The comparisons of the program: places of threads, owners of locks, guards, assertions.
    Atoms,
    /// Those, and facts that an analysis proves first: affine equalities between variables, and what holds at places of threads.
    Affine,
    /// The comparisons, and every bit of the state, so that nothing is ever refined.
    Exact,
}

/// What is said of the order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchedulingChoice {
    /// All, where it is not too large.
    Encoded,
    /// All but cycles among three threads and more.
    Pairs,
    /// Nothing: models in which events have no order are excluded one after the other.
    Refined,
    /// All, by a clock for each event.
    Clocks,
    /// All, and which parts of threads exclude each other is found out before anything else.
    Blocks,
}

/// What a thread is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScopeChoice {
    /// Global variables and its own, and those of others only where these do not suffice: proofs are modular where they can be.
    Own,
    /// All variables.
    All,
}

/// The solvers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SolverChoice {
    /// Bit-blasting over CaDiCaL.
    Cadical,
    /// Z3.
    Z3,
}
