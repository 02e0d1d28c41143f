//! IC3 over predicates, after "Counterexample to induction-guided abstraction-refinement (CTIGAR)" (Birgmeier, Bradley,
//! Weissenbacher, CAV 2014).
//!
//! IC3 blocks, frame by frame, the states that lead to a violation. Here the blocked cubes are made of the predicates of a
//! *precision*; a predecessor that a query finds is a concrete state, and its abstraction is the cube of the predicates
//! that it satisfies. When the abstraction cannot be blocked but the concrete states can, the precision is too coarse:
//! it is refined at once, or after `max_spurious` steps that may be spurious. With the bits of the state as precision this
//! is ordinary IC3.
//!
//! The parts are named after the algorithm: [`search`] is its main loop, over [`frames`], [`obligations`], [`queries`]
//! (consecution, lifting, initiation), [`justify`] (lifting of bits), [`generalise`] and [`refine`]; [`predicates`] holds the precision and
//! [`initial_predicates`] the first one, of a kind that [`precision`] lists. [`families`] is about any number of threads.

mod affine;
mod cube;
mod families;
mod frames;
mod generalise;
mod initial_predicates;
mod justify;
mod obligations;
mod precision;
mod predicates;
mod queries;
mod refine;
mod search;
mod step_relation;

use system::transition_system::{TransitionSystem, Verdict};

use self::families::Families;
pub use self::families::Family;
use self::frames::Frames;
use self::justify::Justifier;
use self::obligations::ProofObligations;
pub use self::precision::Precision;
use self::predicates::Predicates;
use self::queries::Queries;
use self::search::{Counts, CtigarSearch};
use self::step_relation::StepRelation;
use crate::engine::{Engine, NewSolver, solvers_of};
use solver::{Backend, QueryStatistics, Workload};
use system::budget::Budget;

/// How to look for a proof.
#[derive(Clone, Debug, Default)]
pub struct CtigarOptions {
    /// The solver.
    pub backend: Backend,
    /// The precision to start with.
    pub precision: Precision,
    /// How many steps of a path to a violation may be spurious before the precision is refined.
    pub max_spurious: usize,
    /// The threads that stand for any number of others. If there are some, a proof holds for all these, and no violation is found.
    pub families: Vec<Family>,
}

/// The engine.
pub struct Ctigar {
    options: CtigarOptions,
    new_solver: NewSolver,
    statistics: QueryStatistics,
}

impl Ctigar {
    /// An engine with these options.
    pub fn new(options: CtigarOptions) -> Self {
        let new_solver = solvers_of(options.backend, Workload::ShortQueries);
        Self {
            options,
            new_solver,
            statistics: QueryStatistics::default(),
        }
    }

    /// Takes solvers from `new_solver` instead of the backend.
    pub fn with_solvers(mut self, new_solver: NewSolver) -> Self {
        self.new_solver = new_solver;
        self
    }
}

impl Engine for Ctigar {
    fn name(&self) -> &'static str {
        match self.options.precision {
            Precision::Atoms | Precision::Affine => "ic3",
            Precision::Exact => "ic3-exact",
        }
    }

    fn check(&mut self, system: &mut TransitionSystem, budget: &Budget) -> Verdict {
        let new_solver = || (self.new_solver)(budget);
        let constants = initial_predicates::constants(system);
        let mut step = StepRelation::new(system);
        let mut predicates = Predicates::new(system, &mut step);
        let mut invariants = Vec::new();
        if self.options.precision == Precision::Affine {
            let found = affine::invariants(system, &mut step, &self.new_solver, budget);
            self.statistics.absorb(&found.1);
            invariants = found.0;
        }
        let mut queries = Queries::new(system, &step, &invariants, &new_solver);
        initial_predicates::activate(system, &mut step, &mut predicates, self.options.precision);
        let families = Families::new(&step, &self.options.families);
        if !families.is_empty() {
            initial_predicates::activate_relations(system, &mut step, &mut predicates, &families);
        }
        queries.extend(system);
        let mut frames = Frames::default();
        frames.extend();
        let mut search = CtigarSearch {
            system,
            step,
            predicates,
            queries,
            justifier: Justifier::default(),
            frames,
            obligations: ProofObligations::default(),
            max_spurious: self.options.max_spurious,
            families,
            constants,
            invariants,
            counts: Counts::default(),
        };
        let verdict = search.solve().unwrap_or_else(Verdict::Unknown);
        tracing::info!(
            counts = ?search.counts,
            precision = search.predicates.active().len(),
            frames = search.frames.len(),
            "end of the search"
        );
        self.statistics.absorb(&search.queries.statistics());
        verdict
    }

    fn statistics(&self) -> QueryStatistics {
        self.statistics.clone()
    }
}
