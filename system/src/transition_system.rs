//! Symbolic transition systems, and the verdicts of engines about them.

use std::time::Duration;

use crate::term::{Term, Terms, Value};

/// States are valuations of the state variables; a transition maps a state and an input to the next state.
///
/// * A state is initial if every variable with `initial` has that value and every term of `initial_constraints` holds.
/// * There is a transition from a state under an input iff `guard` holds; the next value of a variable is its `next`,
///   or arbitrary if it has none.
/// * A property is violated in a state if its `bad` term holds under some input; no transition needs to follow.
/// * Every term of `invariant_constraints` restricts every state considered, the last one included (BTOR2's `constraint`).
#[derive(Clone, Debug)]
pub struct TransitionSystem {
    /// The arena of all terms below.
    pub terms: Terms,
    /// The state.
    pub state: Vec<StateVariable>,
    /// The inputs: symbol terms, chosen anew for every transition.
    pub inputs: Vec<Term>,
    /// Boolean terms over the state.
    pub initial_constraints: Vec<Term>,
    /// Boolean term over state and inputs: whether this transition exists.
    pub guard: Term,
    /// Boolean terms over state and inputs.
    pub invariant_constraints: Vec<Term>,
    /// What must not happen, most important first.
    pub properties: Vec<Property>,
}

impl TransitionSystem {
    /// What the property at a position stands for.
    pub fn role(&self, property: usize) -> Role {
        self.properties[property].role
    }

    /// Boolean terms that hold together iff a state is initial.
    pub fn initial(&self, terms: &mut Terms) -> Vec<Term> {
        let mut formulas = self.initial_constraints.clone();
        for variable in &self.state {
            let value = variable.initial;
            formulas.extend(value.map(|value| terms.equal(variable.current, value)));
        }
        formulas
    }

    /// The invariant constraints, and one more Boolean term: what holds where a state is considered and the term holds.
    pub fn considered(&self, formula: Term) -> Vec<Term> {
        let constraints = self.invariant_constraints.iter().copied();
        constraints.chain([formula]).collect()
    }

    /// What the system is made of beside variables: first and next values, properties, constraints, the guard.
    pub fn parts(&self) -> impl Iterator<Item = Term> + '_ {
        let state = self.state.iter();
        let values = state.flat_map(|variable| variable.initial.into_iter().chain(variable.next));
        let constraints = self.invariant_constraints.iter();
        values
            .chain(self.properties.iter().map(|property| property.bad))
            .chain(constraints.chain(&self.initial_constraints).copied())
            .chain([self.guard])
    }

    /// Those of the parts that tell of a single state and the step from it, whatever is initial.
    pub fn step_parts(&self) -> impl Iterator<Item = Term> + '_ {
        let next = self.state.iter().filter_map(|variable| variable.next);
        next.chain([self.guard])
            .chain(self.properties.iter().map(|property| property.bad))
            .chain(self.invariant_constraints.iter().copied())
    }

    /// The system without its arena, which is large: its terms mean nothing until they get it again.
    pub(crate) fn clone_without_terms(&self) -> Self {
        Self {
            terms: Terms::new(),
            state: self.state.clone(),
            inputs: self.inputs.clone(),
            initial_constraints: self.initial_constraints.clone(),
            guard: self.guard,
            invariant_constraints: self.invariant_constraints.clone(),
            properties: self.properties.clone(),
        }
    }
}

/// A component of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateVariable {
    /// The symbol term that stands for the current value; its name is printed.
    pub current: Term,
    /// First value, a term over no symbols or over other state variables; arbitrary if absent.
    pub initial: Option<Term>,
    /// Next value, a term over state and inputs; arbitrary if absent.
    pub next: Option<Term>,
}

/// A new symbol for the next value of a variable.
pub fn primed(terms: &mut Terms, current: Term) -> Term {
    let name = format!("{}.next", terms.symbol_name(current).unwrap_or_default());
    let sort = terms.sort(current);
    terms.symbol(name, sort)
}

/// A safety property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// For people and exports.
    pub name: String,
    /// What it means that a run gets where `bad` holds.
    pub role: Role,
    /// Boolean term over state and inputs that holds where the property is violated.
    pub bad: Term,
}

/// What a property stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A run that violates it is a counterexample.
    Violation,
    /// A run that violates it meets a limit of the system, behind which there may be more runs: it stands against proofs only.
    Limit,
}

/// A violation: a run from an initial state into a bad one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Which property, by its position in [`TransitionSystem::properties`].
    pub property: usize,
    /// State `i` and the input under which it is left; in the last step the input under which the property is violated.
    pub steps: Vec<Step>,
}

/// One step of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Values in the order of [`TransitionSystem::state`].
    pub state: Vec<Value>,
    /// Values in the order of [`TransitionSystem::inputs`].
    pub inputs: Vec<Value>,
}

/// A proof that no property is violated, in a form that `certify` checks without the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// A Boolean term over the state: it holds initially, is preserved by every transition, and excludes every bad state.
    Inductive(Term),
    /// `invariant` is inductive (initiation, consecution), there is no violation in the first `depth` states of a run,
    /// and no run of `depth` good states that satisfy it, pairwise different in the variables of `distinct`, leads to a bad one.
    KInduction {
        /// Number of good states assumed, at least 1.
        depth: usize,
        /// The state variables in which the states of a run are assumed pairwise different, if they are. Whether states
        /// that agree on them and satisfy `invariant` can be left into bad ones must depend on those variables alone.
        distinct: Option<Vec<Term>>,
        /// Boolean term over the state.
        invariant: Term,
    },
    /// No run has more than `depth` transitions and none of those violates a property.
    Exhausted {
        /// Number of transitions.
        depth: usize,
    },
}

/// Why an engine reached no conclusion.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Reason {
    /// The engine's own bound.
    #[error("no violation up to depth {0}")]
    Depth(usize),
    /// Wall-clock time.
    #[error("time limit of {} s", .0.as_secs_f64())]
    Time(Duration),
    /// Memory.
    #[error("memory limit of {0} MiB")]
    Memory(u64),
    /// The engine was asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// The solver answered unknown.
    #[error("the solver gave up: {0}")]
    Solver(String),
    /// The engine does not apply.
    #[error("{0}")]
    NotApplicable(String),
}

/// What an engine says, with its evidence. An engine over other systems has a proof, a counterexample and reasons of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<P = Proof, C = Trace, R = Reason> {
    /// No property is ever violated.
    Safe(P),
    /// A property is violated.
    Unsafe(C),
    /// Neither was shown.
    Unknown(R),
}
