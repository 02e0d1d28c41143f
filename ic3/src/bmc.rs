//! Bounded model checking: violations by increasing number of transitions.
//!
//! One solver sees a growing unrolling. At depth `d` the first query is whether a run of `d` transitions ends in a
//! violation. The second query is whether there is a run of `d` transitions at all; if not, all runs are covered and
//! the system is safe.

use system::transition_system::{Proof, Reason, Role, Trace, TransitionSystem, Verdict};
use system::unroll::Link;

use crate::bounded_search::BoundedSearch;
use crate::engine::{Engine, NewSolver, solvers_of};
use solver::{Backend, Measured, QueryStatistics, Workload};
use system::budget::Budget;

/// What to look for, and how.
#[derive(Clone, Debug)]
pub struct BmcOptions {
    /// Longest run looked at, in transitions.
    pub depth: usize,
    /// After how many frames the solver is asked for violations in them; at least 1.
    pub step: usize,
    /// The solver.
    pub backend: Backend,
    /// How frames are connected.
    pub link: Link,
    /// Positions of the properties to look at, most important first; all if absent. Without all of them there is no
    /// verdict [`Verdict::Safe`].
    pub properties: Option<Vec<usize>>,
    /// Whether violations are looked for behind limits, too: the first limit is the verdict only if every run was seen and none
    /// is a violation.
    pub behind_limits: bool,
}

impl Default for BmcOptions {
    fn default() -> Self {
        Self {
            depth: usize::MAX,
            step: 1,
            backend: Backend::default(),
            link: Link::Functional,
            properties: None,
            behind_limits: false,
        }
    }
}

/// The engine.
pub struct Bmc {
    options: BmcOptions,
    new_solver: NewSolver,
    progress: Box<dyn FnMut(usize) + Send>,
    statistics: QueryStatistics,
    limit: Option<Trace>,
}

impl Bmc {
    /// An engine with these options.
    pub fn new(options: BmcOptions) -> Self {
        let new_solver = solvers_of(options.backend, Workload::LongQueries);
        Self {
            options,
            new_solver,
            progress: Box::new(|_| ()),
            statistics: QueryStatistics::default(),
            limit: None,
        }
    }

    /// The limit that the last search met before it looked [behind it](BmcOptions::behind_limits), whatever came of that.
    pub fn limit(&self) -> Option<&Trace> {
        self.limit.as_ref()
    }

    /// Takes solvers from `new_solver` instead of the backend.
    pub fn with_solvers(mut self, new_solver: NewSolver) -> Self {
        self.new_solver = new_solver;
        self
    }

    /// Calls `progress` with every depth up to which there is no violation.
    pub fn on_progress(mut self, progress: impl FnMut(usize) + Send + 'static) -> Self {
        self.progress = Box::new(progress);
        self
    }

    fn search(
        &mut self,
        search: &mut BoundedSearch,
        system: &mut TransitionSystem,
    ) -> Result<Verdict, Reason> {
        let step = self.options.step.max(1);
        self.limit = None;
        for depth in 0..=self.options.depth {
            search.extend(system, depth);
            if (depth + 1) % step != 0 && depth != self.options.depth {
                continue;
            }
            match self.violation(search, system)? {
                Some(trace) if self.is_decisive(system, &trace) => {
                    return Ok(Verdict::Unsafe(trace));
                }
                Some(_) | None => {}
            }
            tracing::info!(depth, "no violation");
            (self.progress)(depth);
            if !search.has_run(&system.terms)? {
                return match self.limit.clone() {
                    Some(trace) => Ok(Verdict::Unsafe(trace)),
                    None => self.exhausted(system, depth.saturating_sub(1)),
                };
            }
        }
        Err(Reason::Depth(self.options.depth))
    }

    /// A violation in the window of the search; a limit, if there is none. Once a limit was met others are not looked for any more.
    fn violation(
        &mut self,
        search: &mut BoundedSearch,
        system: &mut TransitionSystem,
    ) -> Result<Option<Trace>, Reason> {
        let Some(first) = search.violation(system)? else {
            return Ok(None);
        };
        if self.is_decisive(system, &first) {
            return Ok(Some(first));
        }
        self.limit = Some(first.clone());
        search.look_only_for(|property| system.role(property) == Role::Violation);
        let violation = search.violation(system)?;
        Ok(Some(violation.unwrap_or(first)))
    }

    fn is_decisive(&self, system: &TransitionSystem, trace: &Trace) -> bool {
        !self.options.behind_limits || system.role(trace.property) == Role::Violation
    }

    /// No run has more than `depth` transitions and none violates a property looked at.
    fn exhausted(&self, system: &TransitionSystem, depth: usize) -> Result<Verdict, Reason> {
        let considered = self.properties(system);
        if (0..system.properties.len()).all(|property| considered.contains(&property)) {
            return Ok(Verdict::Safe(Proof::Exhausted { depth }));
        }
        Err(Reason::NotApplicable(format!(
            "no run has more than {depth} transitions and none violates a property that was looked at; others were not"
        )))
    }

    fn properties(&self, system: &TransitionSystem) -> Vec<usize> {
        self.options
            .properties
            .clone()
            .unwrap_or_else(|| (0..system.properties.len()).collect())
    }
}

impl Engine for Bmc {
    fn name(&self) -> &'static str {
        "bmc"
    }

    fn check(&mut self, system: &mut TransitionSystem, budget: &Budget) -> Verdict {
        let properties = self.properties(system);
        if let Some(missing) = properties
            .iter()
            .find(|property| **property >= system.properties.len())
        {
            return Verdict::Unknown(Reason::NotApplicable(format!(
                "the system has no property {missing}"
            )));
        }
        let solver = Measured::new((self.new_solver)(budget));
        let mut search = BoundedSearch::new(solver, self.options.link, properties);
        let verdict = self
            .search(&mut search, system)
            .unwrap_or_else(Verdict::Unknown);
        self.statistics.absorb(search.solver.statistics());
        verdict
    }

    fn statistics(&self) -> QueryStatistics {
        self.statistics.clone()
    }
}
