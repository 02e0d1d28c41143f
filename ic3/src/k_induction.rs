//! k-induction with simple paths.
//!
//! For growing `k`: no violation within `k` states from the start (base case), and no run of `k` good states, pairwise
//! different, leads to a bad one (step case). The pairs that must differ are found lazily, in the models that a step
//! case has without them.

use system::term::{Term, Terms, Value};
use system::transition_system::{Proof, Reason, TransitionSystem, Verdict};
use system::unroll::{Link, Start, Unroller};

use crate::bounded_search::BoundedSearch;
use crate::engine::{Engine, NewSolver, solvers_of};
use solver::{Answer, Backend, Measured, Model, QueryStatistics, Workload};
use system::budget::Budget;

/// Names of the queries.
const STEP: &str = "induction step";
const INITIATION: &str = "initiation";
const CONSECUTION: &str = "consecution";

/// Which states of the step case must differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SimplePath {
    /// None: cheaper, but some safe systems have no proof for any `k`.
    Off,
    /// Those that are equal in some model of the step case.
    #[default]
    Lazy,
    /// All, at once.
    Full,
}

/// How to look for a proof.
#[derive(Clone, Debug)]
pub struct KInductionOptions {
    /// Largest `k`.
    pub depth: usize,
    /// The solver.
    pub backend: Backend,
    /// How the frames of the step case are connected.
    pub link: Link,
    /// Which states must differ.
    pub simple_path: SimplePath,
    /// An inductive invariant, a Boolean term over the state, that the states of the step case satisfy.
    pub invariant: Option<Term>,
}

impl Default for KInductionOptions {
    fn default() -> Self {
        Self {
            depth: usize::MAX,
            backend: Backend::default(),
            link: Link::Functional,
            simple_path: SimplePath::default(),
            invariant: None,
        }
    }
}

/// The engine.
pub struct KInduction {
    options: KInductionOptions,
    new_solver: NewSolver,
    statistics: QueryStatistics,
}

impl KInduction {
    /// An engine with these options.
    pub fn new(options: KInductionOptions) -> Self {
        let new_solver = solvers_of(options.backend, Workload::LongQueries);
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

    fn search(
        &self,
        base: &mut BoundedSearch,
        step: &mut StepCase,
        system: &mut TransitionSystem,
    ) -> Result<Verdict, Reason> {
        step.check_invariant(system)?;
        for depth in 1..=self.options.depth {
            base.extend(system, depth - 1);
            if let Some(trace) = base.violation(system)? {
                return Ok(Verdict::Unsafe(trace));
            }
            if !base.has_run(&system.terms)? {
                return Ok(Verdict::Safe(Proof::Exhausted {
                    depth: depth.saturating_sub(2),
                }));
            }
            if step.holds(system, depth)? {
                return Ok(Verdict::Safe(step.proof(system, depth)));
            }
            tracing::info!(depth, "no violation and no proof");
        }
        Err(Reason::Depth(self.options.depth))
    }
}

impl Engine for KInduction {
    fn name(&self) -> &'static str {
        "kind"
    }

    fn check(&mut self, system: &mut TransitionSystem, budget: &Budget) -> Verdict {
        let new_solver = || Measured::new((self.new_solver)(budget));
        let all = (0..system.properties.len()).collect();
        let mut base = BoundedSearch::new(new_solver(), Link::Functional, all);
        let mut step = StepCase::new(new_solver(), &self.options, &mut system.terms);
        let verdict = self
            .search(&mut base, &mut step, system)
            .unwrap_or_else(Verdict::Unknown);
        self.statistics.absorb(base.solver.statistics());
        self.statistics.absorb(step.solver.statistics());
        verdict
    }

    fn statistics(&self) -> QueryStatistics {
        self.statistics.clone()
    }
}

/// Runs of good states that start anywhere.
struct StepCase {
    unroller: Unroller,
    solver: Measured,
    simple_path: SimplePath,
    invariant: Term,
    /// Whether some states are assumed to differ.
    distinct: bool,
}

impl StepCase {
    fn new(solver: Measured, options: &KInductionOptions, terms: &mut Terms) -> Self {
        Self {
            unroller: Unroller::new(Start::Arbitrary, options.link),
            solver,
            simple_path: options.simple_path,
            invariant: options.invariant.unwrap_or_else(|| terms.bool(true)),
            distinct: false,
        }
    }

    /// Whether `depth` good states always lead to a good one. Must be asked for 1, 2, 3 and so on.
    fn holds(&mut self, system: &mut TransitionSystem, depth: usize) -> Result<bool, Reason> {
        if depth == 1 {
            self.enter(system, 0);
        }
        self.assume_good(system, depth - 1);
        self.enter(system, depth);
        let bad = system
            .terms
            .or_all(self.unroller.frames()[depth].bad.iter().copied());
        loop {
            let equal = match self.solver.check(STEP, &system.terms, &[bad]) {
                Answer::Unsat(_) => return Ok(true),
                Answer::Unknown(reason) => return Err(reason),
                Answer::Sat(_) if self.simple_path != SimplePath::Lazy => return Ok(false),
                Answer::Sat(model) => equal_states(model, &system.terms, &self.unroller, depth),
            };
            if equal.is_empty() {
                return Ok(false);
            }
            equal
                .into_iter()
                .for_each(|(i, j)| self.assume_distinct(&mut system.terms, i, j));
        }
    }

    /// Adds a frame and how it is reached.
    fn enter(&mut self, system: &mut TransitionSystem, position: usize) {
        let frame = self.unroller.frame(system, position);
        for &term in frame.entry.iter().chain(&frame.constraints) {
            self.solver.assert(&system.terms, term);
        }
    }

    fn assume_good(&mut self, system: &mut TransitionSystem, position: usize) {
        let invariant = self.unroller.at(system, position, self.invariant);
        self.solver.assert(&system.terms, invariant);
        let bad = self.unroller.frames()[position].bad.clone();
        for bad in bad {
            let good = system.terms.not(bad);
            self.solver.assert(&system.terms, good);
        }
        if self.simple_path == SimplePath::Full {
            (0..position)
                .for_each(|earlier| self.assume_distinct(&mut system.terms, earlier, position));
        }
    }

    fn assume_distinct(&mut self, terms: &mut Terms, i: usize, j: usize) {
        let frames = self.unroller.frames();
        let pairs = frames[i].state.iter().zip(&frames[j].state);
        let equal: Vec<Term> = pairs.map(|(&a, &b)| terms.equal(a, b)).collect();
        let equal = terms.and_all(equal);
        let differ = terms.not(equal);
        self.solver.assert(terms, differ);
        self.distinct = true;
    }

    /// An error unless the auxiliary invariant is inductive.
    fn check_invariant(&mut self, system: &mut TransitionSystem) -> Result<(), Reason> {
        let initially = Unroller::new(Start::Initial, Link::Functional);
        let later = Unroller::new(Start::Arbitrary, Link::Functional);
        for (mut unroller, position, name) in [(initially, 0, INITIATION), (later, 1, CONSECUTION)]
        {
            let reached = unroller.at(system, position, self.invariant);
            let mut query = vec![system.terms.not(reached)];
            for frame in unroller.frames() {
                query.extend(frame.entry.iter().chain(&frame.constraints));
            }
            if position > 0 {
                query.push(unroller.at(system, position - 1, self.invariant));
            }
            match self.solver.check(name, &system.terms, &query) {
                Answer::Unsat(_) => {}
                Answer::Unknown(reason) => return Err(reason),
                Answer::Sat(_) => {
                    return Err(Reason::NotApplicable(format!(
                        "the auxiliary invariant fails {name}"
                    )));
                }
            }
        }
        Ok(())
    }

    /// What was proved when the step case holds: an invariant if that says it, because it is the simplest proof.
    fn proof(&self, system: &mut TransitionSystem, depth: usize) -> Proof {
        let bad: Vec<Term> = system
            .properties
            .iter()
            .map(|property| property.bad)
            .collect();
        let depends_on_input = system
            .terms
            .cone(&bad)
            .iter()
            .any(|term| system.inputs.contains(term));
        if depth > 1 || depends_on_input {
            return Proof::KInduction {
                depth,
                distinct: self.distinct.then(|| {
                    let variables = system.state.iter();
                    variables.map(|variable| variable.current).collect()
                }),
                invariant: self.invariant,
            };
        }
        let terms = &mut system.terms;
        let any = terms.or_all(bad);
        let good = terms.not(any);
        Proof::Inductive(terms.and(self.invariant, good))
    }
}

/// The pairs of equal states among the first `length` of a model.
fn equal_states(
    mut model: Model<'_>,
    terms: &Terms,
    unroller: &Unroller,
    length: usize,
) -> Vec<(usize, usize)> {
    let frames = &unroller.frames()[..length];
    let all: Vec<Term> = frames
        .iter()
        .flat_map(|frame| frame.state.iter().copied())
        .collect();
    let values = model.values(terms, &all);
    let width = all.len() / length;
    let state = |position: usize| -> &[Value] { &values[position * width..(position + 1) * width] };
    let pairs = (0..length).flat_map(|i| (i + 1..length).map(move |j| (i, j)));
    pairs.filter(|&(i, j)| state(i) == state(j)).collect()
}
