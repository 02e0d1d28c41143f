//! The interface of all engines.

use system::eval::check_trace;
use system::transition_system::{Reason, Trace, TransitionSystem, Verdict};

use solver::{Backend, QueryStatistics, Scopes, Workload};
use system::budget::Budget;

/// Decides whether a transition system violates one of its properties.
pub trait Engine {
    /// As in reports and on the command line.
    fn name(&self) -> &'static str;

    /// Decides `system` within `budget`.
    ///
    /// The engine may add terms to the arena of the system and changes nothing else. Every trace it returns passes
    /// [`check_trace`]. When the budget is exhausted the verdict is [`Verdict::Unknown`] with the budget's reason.
    fn check(&mut self, system: &mut TransitionSystem, budget: &Budget) -> Verdict;

    /// The solver's queries in all calls of [`Engine::check`] so far.
    fn statistics(&self) -> QueryStatistics {
        QueryStatistics::default()
    }
}

/// Makes the solvers of an engine.
pub type NewSolver = Box<dyn Fn(&Budget) -> Box<dyn Scopes> + Send>;

/// Solvers of a backend.
pub(crate) fn solvers_of(backend: Backend, workload: Workload) -> NewSolver {
    Box::new(move |budget| backend.solver(budget, workload))
}

/// The trace, if it is one: a model that is no run must not become a verdict.
pub(crate) fn confirmed(system: &TransitionSystem, trace: Trace) -> Result<Trace, Reason> {
    match check_trace(system, &trace) {
        Ok(()) => Ok(trace),
        Err(error) => Err(Reason::Solver(format!("wrong model: {error}"))),
    }
}
