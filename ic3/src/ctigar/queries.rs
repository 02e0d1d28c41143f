//! The solver queries of IC3.
//!
//! Three solvers share them: one has the transition relation and the frames, one has the transition relation only as
//! far as a single step needs it, and one has the initial states.

use rustc_hash::FxHashMap;
use system::term::{Sort, Term, Terms, Value};
use system::transition_system::{Reason, TransitionSystem};

use super::cube::{Cube, Literal};
use super::frames::Frames;
use super::predicates::Predicates;
use super::step_relation::StepRelation;
use solver::{Answer, Measured, Model, QueryStatistics, Scopes};

/// Names of the queries.
const BAD: &str = "bad state";
const CONSECUTION: &str = "consecution";
const INITIATION: &str = "initiation";
const LIFTING: &str = "lifting";
const EQUALITY: &str = "equality of predicates";

/// Retracted clauses cost time in every query; after so many the solver is made anew.
const RETRACTED: usize = 4000;

/// A state and the inputs of a step from it.
#[derive(Clone, Debug)]
pub struct ConcreteStep {
    /// In the order of [`TransitionSystem::state`].
    pub state: Vec<Value>,
    /// In the order of [`StepRelation::inputs`].
    pub inputs: Vec<Value>,
}

/// Whether a frame's states outside a cube lead into the cube.
#[derive(Debug)]
pub enum Consecution {
    /// No: not even into the states that satisfy these of its literals.
    Blocked(Cube),
    /// Yes, this one does.
    Open(ConcreteStep),
}

/// Makes solvers.
pub type Fresh<'a> = &'a dyn Fn() -> Box<dyn Scopes>;

/// What a step is lifted against.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// The step must lead into a cube.
    Cube(&'a Cube),
    /// The state must be bad.
    Bad,
}

impl Target<'_> {
    /// What is true of a step if and only if it hits the target.
    pub fn terms(self, step: &StepRelation, predicates: &Predicates) -> Vec<Term> {
        let mut hit = step.constraints.clone();
        match self {
            Self::Cube(cube) => {
                hit.extend(&step.enabled);
                hit.extend(cube.iter().map(|literal| predicates.after(literal)));
            }
            Self::Bad => hit.push(step.bad),
        }
        hit
    }
}

/// The solvers.
pub struct Queries<'a> {
    new_solver: Fresh<'a>,
    relative: Measured,
    single: Measured,
    initial: Measured,
    /// Activates the transition relation.
    stepping: Term,
    /// Activates what is known at a level.
    levels: Vec<Term>,
    /// What holds in all reachable states: other states are never considered.
    invariants: Vec<Term>,
    /// Clauses that `relative` carries and that were retracted.
    retracted: usize,
    /// As `retracted`, of `single`.
    lifted: usize,
    past: QueryStatistics,
}

impl<'a> Queries<'a> {
    /// Solvers for a system, of which Boolean terms over the state are known to be an inductive invariant together.
    pub fn new(
        system: &mut TransitionSystem,
        step: &StepRelation,
        invariants: &[Term],
        new_solver: Fresh<'a>,
    ) -> Self {
        let mut initial = Measured::new(new_solver());
        for term in initial_terms(system)
            .into_iter()
            .chain(step.constraints.iter().copied())
        {
            initial.assert(&system.terms, term);
        }
        let stepping = system.terms.symbol("step", Sort::Bool);
        let mut queries = Self {
            new_solver,
            relative: Measured::new(new_solver()),
            single: single(&system.terms, invariants, new_solver),
            initial,
            stepping,
            levels: Vec::new(),
            invariants: invariants.to_vec(),
            retracted: 0,
            lifted: 0,
            past: QueryStatistics::default(),
        };
        queries.assert_step(system, step);
        queries
    }

    /// The queries so far.
    pub fn statistics(&self) -> QueryStatistics {
        let mut all = self.past.clone();
        for solver in [&self.relative, &self.single, &self.initial] {
            all.absorb(solver.statistics());
        }
        all
    }

    fn assert_step(&mut self, system: &mut TransitionSystem, step: &StepRelation) {
        for &known in step.constraints.iter().chain(&self.invariants) {
            self.relative.assert(&system.terms, known);
        }
        for &enabled in &step.enabled {
            let term = system.terms.implies(self.stepping, enabled);
            self.relative.assert(&system.terms, term);
        }
    }

    /// Adds a level; the first is that of the initial states.
    pub fn extend(&mut self, system: &mut TransitionSystem) {
        let name = format!("F{}", self.levels.len());
        self.levels.push(system.terms.symbol(name, Sort::Bool));
        if self.levels.len() == 1 {
            self.assert_initial(system);
        }
    }

    fn assert_initial(&mut self, system: &mut TransitionSystem) {
        for term in initial_terms(system) {
            let term = system.terms.implies(self.levels[0], term);
            self.relative.assert(&system.terms, term);
        }
    }

    /// Tells the solver that a cube is blocked up to a level.
    pub fn block(&mut self, terms: &mut Terms, predicates: &Predicates, level: usize, cube: &Cube) {
        let clause = clause(terms, predicates, cube);
        let lemma = terms.implies(self.levels[level], clause);
        self.relative.assert(terms, lemma);
    }

    /// Makes a solver anew if it carries too much that was retracted.
    pub fn refresh(
        &mut self,
        system: &mut TransitionSystem,
        step: &StepRelation,
        predicates: &Predicates,
        frames: &Frames,
    ) {
        if self.lifted >= RETRACTED {
            self.past.absorb(self.single.statistics());
            self.single = single(&system.terms, &self.invariants, self.new_solver);
            self.lifted = 0;
        }
        if self.retracted < RETRACTED {
            return;
        }
        self.past.absorb(self.relative.statistics());
        self.relative = Measured::new((self.new_solver)());
        self.retracted = 0;
        self.assert_step(system, step);
        self.assert_initial(system);
        for level in 1..frames.len() {
            for cube in frames.at(level) {
                self.block(&mut system.terms, predicates, level, cube);
            }
        }
    }

    /// A bad state of `F_level`.
    pub fn bad_state(
        &mut self,
        terms: &Terms,
        step: &StepRelation,
        level: usize,
    ) -> Result<Option<ConcreteStep>, Reason> {
        let mut assumptions = self.levels[level..].to_vec();
        assumptions.push(step.bad);
        match self.relative.check(BAD, terms, &assumptions) {
            Answer::Sat(model) => Ok(Some(point(model, terms, step))),
            Answer::Unsat(_) => Ok(None),
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// Whether a step leads from a state of `F_level` outside `cube` into `cube`.
    pub fn consecution(
        &mut self,
        terms: &mut Terms,
        step: &StepRelation,
        predicates: &Predicates,
        level: usize,
        cube: &Cube,
    ) -> Result<Consecution, Reason> {
        let mut assumptions = self.levels[level..].to_vec();
        assumptions.push(self.stepping);
        let into = Assumed::new(cube.iter(), |literal| predicates.after(literal));
        assumptions.extend(&into.terms);
        let outside = clause(terms, predicates, cube);
        self.relative.push();
        self.relative.assert(terms, outside);
        let answer = match self.relative.check(CONSECUTION, terms, &assumptions) {
            Answer::Sat(model) => Ok(Consecution::Open(point(model, terms, step))),
            Answer::Unsat(core) => Ok(Consecution::Blocked(into.blamed(core))),
            Answer::Unknown(reason) => Err(reason),
        };
        self.relative.pop();
        self.retracted += 1;
        answer
    }

    /// A subset of `literals`, which hold in the state of `point`, that alone makes the step hit the target under the same
    /// inputs; `None` if all together do not.
    pub fn lift(
        &mut self,
        terms: &mut Terms,
        step: &StepRelation,
        predicates: &Predicates,
        point: &ConcreteStep,
        target: Target<'_>,
        literals: impl Iterator<Item = Literal>,
    ) -> Result<Option<Cube>, Reason> {
        let hit = target.terms(step, predicates);
        let hit = terms.and_all(hit);
        let miss = terms.not(hit);
        let mut assumptions = Vec::new();
        for (&input, &value) in step.inputs.iter().zip(&point.inputs) {
            let value = terms.constant(value);
            assumptions.push(terms.equal(input, value));
        }
        let from = Assumed::new(literals, |literal| predicates.now(literal));
        assumptions.extend(&from.terms);
        self.single.push();
        self.single.assert(terms, miss);
        let answer = match self.single.check(LIFTING, terms, &assumptions) {
            Answer::Sat(_) => Ok(None),
            Answer::Unsat(core) => Ok(Some(from.blamed(core))),
            Answer::Unknown(reason) => Err(reason),
        };
        self.single.pop();
        self.lifted += 1;
        answer
    }

    /// Whether two Boolean terms over the state are equal in all states.
    pub fn are_equal(&mut self, terms: &mut Terms, a: Term, b: Term) -> Result<bool, Reason> {
        let differ = terms.xor(a, b);
        match self.single.check(EQUALITY, terms, &[differ]) {
            Answer::Sat(_) => Ok(false),
            Answer::Unsat(_) => Ok(true),
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// Literals of `cube` that together hold in no initial state; an initial state in the cube if there are none.
    pub fn initiation(
        &mut self,
        terms: &Terms,
        step: &StepRelation,
        predicates: &Predicates,
        cube: &Cube,
    ) -> Result<Result<Cube, Vec<Value>>, Reason> {
        if let Some(literal) = cube
            .iter()
            .find(|&literal| predicates.is_initially_false(literal))
        {
            return Ok(Ok([literal].into_iter().collect()));
        }
        let within = Assumed::new(cube.iter(), |literal| predicates.now(literal));
        match self.initial.check(INITIATION, terms, &within.terms) {
            Answer::Sat(mut model) => Ok(Err(model.values(terms, &step.state))),
            Answer::Unsat(core) => Ok(Ok(within.blamed(core))),
            Answer::Unknown(reason) => Err(reason),
        }
    }
}

/// A solver for questions about one step, in states that satisfy the invariants.
fn single(terms: &Terms, invariants: &[Term], new_solver: Fresh<'_>) -> Measured {
    let mut solver = Measured::new(new_solver());
    for &invariant in invariants {
        solver.assert(terms, invariant);
    }
    solver
}

/// Literals as assumptions of a query.
struct Assumed {
    terms: Vec<Term>,
    literals: FxHashMap<Term, Literal>,
}

impl Assumed {
    fn new(literals: impl Iterator<Item = Literal>, term: impl Fn(Literal) -> Term) -> Self {
        let pairs: Vec<(Term, Literal)> =
            literals.map(|literal| (term(literal), literal)).collect();
        Self {
            terms: pairs.iter().map(|&(term, _)| term).collect(),
            literals: pairs.into_iter().collect(),
        }
    }

    /// The literals that a core names.
    fn blamed(&self, core: &[Term]) -> Cube {
        let literals = core.iter().filter_map(|term| self.literals.get(term));
        literals.copied().collect()
    }
}

fn point(mut model: Model<'_>, terms: &Terms, step: &StepRelation) -> ConcreteStep {
    ConcreteStep {
        state: model.values(terms, &step.state),
        inputs: model.values(terms, &step.inputs),
    }
}

/// The negation of a cube.
pub fn clause(terms: &mut Terms, predicates: &Predicates, cube: &Cube) -> Term {
    let literals: Vec<Term> = cube
        .iter()
        .map(|literal| predicates.now(!literal))
        .collect();
    terms.or_all(literals)
}

/// Boolean terms that together describe the initial states, the constraints aside.
pub fn initial_terms(system: &mut TransitionSystem) -> Vec<Term> {
    let TransitionSystem {
        terms,
        state,
        initial_constraints,
        ..
    } = system;
    let values = state
        .iter()
        .filter_map(|variable| Some((variable.current, variable.initial?)));
    let mut all: Vec<Term> = values
        .map(|(current, initial)| terms.equal(current, initial))
        .collect();
    all.extend(initial_constraints.iter().copied());
    all
}
