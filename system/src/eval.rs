//! Evaluation of terms and systems on concrete values.

use rustc_hash::FxHashMap;

use crate::term::{Term, Terms, Value, apply};
use crate::transition_system::{Step, Trace, TransitionSystem};

/// The values of `roots` when the variables have the values of `symbols`; variables that are missing there are zero.
pub fn evaluate(terms: &Terms, roots: &[Term], symbols: &FxHashMap<Term, Value>) -> Vec<Value> {
    let mut evaluator = Evaluator::new(symbols.clone());
    roots
        .iter()
        .map(|&root| evaluator.value(terms, root))
        .collect()
}

/// Evaluates many terms under one valuation and remembers the values of their subterms.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {
    values: FxHashMap<Term, Value>,
}

impl Evaluator {
    /// Starts from the values of variables (or of any other terms); variables that are missing are zero.
    pub fn new(symbols: FxHashMap<Term, Value>) -> Self {
        Self { values: symbols }
    }

    /// The value of a term.
    pub fn value(&mut self, terms: &Terms, root: Term) -> Value {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.values.contains_key(&term) {
                open.pop();
                continue;
            }
            let before = open.len();
            let node = terms.node(term);
            open.extend(
                node.operands()
                    .filter(|operand| !self.values.contains_key(operand)),
            );
            if open.len() == before {
                let value = apply(node, |operand| self.values[&operand]);
                self.values
                    .insert(term, value.unwrap_or_else(|| Value::zero(terms.sort(term))));
                open.pop();
            }
        }
        self.values[&root]
    }
}

/// Evaluates the same terms under many valuations, fast.
#[derive(Clone, Debug)]
pub struct Repeated {
    /// All subterms, operands first.
    cone: Vec<Term>,
    valuation: Valuation,
}

impl Repeated {
    /// Prepares the evaluation of `roots`.
    pub fn new(terms: &Terms, roots: &[Term]) -> Self {
        Self {
            cone: terms.cone(roots),
            valuation: Valuation::default(),
        }
    }

    /// Evaluates all roots; `symbol` gives the values of variables, `None` for zero.
    pub fn run(&mut self, terms: &Terms, symbol: impl Fn(Term) -> Option<Value>) {
        for &term in self.cone.iter().filter(|&&term| terms.is_symbol(term)) {
            let value = symbol(term).unwrap_or_else(|| Value::zero(terms.sort(term)));
            self.valuation.set(terms, term, value);
        }
        self.valuation.run(terms, &self.cone);
    }

    /// The value of a root, or of a subterm of one, in the last run.
    pub fn value(&self, term: Term) -> Value {
        self.valuation.value(term)
    }
}

/// Values of variables and of terms over them. Different terms are evaluated under it in turn, fast.
#[derive(Clone, Debug, Default)]
pub struct Valuation {
    /// By position of the term in the arena.
    values: Vec<Value>,
}

impl Valuation {
    /// Gives a variable a value.
    pub fn set(&mut self, terms: &Terms, variable: Term, value: Value) {
        self.reserve(terms);
        self.values[variable.index()] = value;
    }

    /// Evaluates the terms of a [cone](Terms::cone). All its variables have to be set.
    pub fn run(&mut self, terms: &Terms, cone: &[Term]) {
        self.reserve(terms);
        for &term in cone {
            if let Some(value) = apply(terms.node(term), |operand| self.values[operand.index()]) {
                self.values[term.index()] = value;
            }
        }
    }

    /// The value of a variable, or of a term as of the last time that it was evaluated.
    pub fn value(&self, term: Term) -> Value {
        self.values[term.index()]
    }

    fn reserve(&mut self, terms: &Terms) {
        if self.values.len() < terms.len() {
            self.values.resize(terms.len(), Value::Bool(false));
        }
    }
}

/// Values for all variables of a system.
pub fn valuation(system: &TransitionSystem, step: &Step) -> FxHashMap<Term, Value> {
    let state = system
        .state
        .iter()
        .map(|variable| variable.current)
        .zip(step.state.iter().copied());
    state
        .chain(
            system
                .inputs
                .iter()
                .copied()
                .zip(step.inputs.iter().copied()),
        )
        .collect()
}

/// Why a trace is no violation. Steps count from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// The trace has no steps.
    #[error("the trace has no steps")]
    Empty,
    /// There is no such property.
    #[error("the system has no property {0}")]
    NoProperty(usize),
    /// A step has another number of values than the system has variables, or a value of another sort.
    #[error("step {step}: the values do not fit the variables of the system")]
    Shape {
        /// Which step.
        step: usize,
    },
    /// A variable does not have its initial value.
    #[error("step 0: {variable} does not have its initial value")]
    Initial {
        /// Its name.
        variable: String,
    },
    /// An initial constraint does not hold.
    #[error("step 0: initial constraint {0} does not hold")]
    InitialConstraint(usize),
    /// An invariant constraint does not hold.
    #[error("step {step}: invariant constraint {constraint} does not hold")]
    InvariantConstraint {
        /// Which step.
        step: usize,
        /// Position in [`TransitionSystem::invariant_constraints`].
        constraint: usize,
    },
    /// The step has no transition.
    #[error("step {step}: the guard does not hold")]
    Guard {
        /// Which step.
        step: usize,
    },
    /// A variable does not have the value that the step before gives it.
    #[error("step {step}: {variable} does not have the next value of the step before")]
    Next {
        /// The later step.
        step: usize,
        /// Name of the variable.
        variable: String,
    },
    /// The last step is not bad.
    #[error("the property is not violated in the last step")]
    NotBad,
}

/// Whether a trace is a run of the system from an initial state that violates its property in the last step.
///
/// # Errors
/// The first reason why it is not.
pub fn check_trace(system: &TransitionSystem, trace: &Trace) -> Result<(), TraceError> {
    let property = system
        .properties
        .get(trace.property)
        .ok_or(TraceError::NoProperty(trace.property))?;
    for (index, step) in trace.steps.iter().enumerate() {
        if !fits(system, step) {
            return Err(TraceError::Shape { step: index });
        }
        let mut evaluator = Evaluator::new(valuation(system, step));
        if index == 0 {
            check_initial(system, step, &mut evaluator)?;
        }
        check_constraints(system, index, &mut evaluator)?;
        match trace.steps.get(index + 1) {
            Some(next) => check_step(system, index, next, &mut evaluator)?,
            None if evaluator.value(&system.terms, property.bad).is_true() => return Ok(()),
            None => return Err(TraceError::NotBad),
        }
    }
    Err(TraceError::Empty)
}

fn fits(system: &TransitionSystem, step: &Step) -> bool {
    let fit = |variable: Term, value: &Value| {
        value.is_well_formed() && value.sort() == system.terms.sort(variable)
    };
    step.state.len() == system.state.len()
        && step.inputs.len() == system.inputs.len()
        && system
            .state
            .iter()
            .zip(&step.state)
            .all(|(variable, value)| fit(variable.current, value))
        && system
            .inputs
            .iter()
            .zip(&step.inputs)
            .all(|(&input, value)| fit(input, value))
}

fn check_initial(
    system: &TransitionSystem,
    step: &Step,
    evaluator: &mut Evaluator,
) -> Result<(), TraceError> {
    for (variable, &value) in system.state.iter().zip(&step.state) {
        if variable
            .initial
            .is_some_and(|initial| evaluator.value(&system.terms, initial) != value)
        {
            let variable = name(system, variable.current);
            return Err(TraceError::Initial { variable });
        }
    }
    let violated = |&constraint: &Term| !evaluator.value(&system.terms, constraint).is_true();
    let violated = system.initial_constraints.iter().position(violated);
    violated.map_or(Ok(()), |index| Err(TraceError::InitialConstraint(index)))
}

fn check_constraints(
    system: &TransitionSystem,
    step: usize,
    evaluator: &mut Evaluator,
) -> Result<(), TraceError> {
    let violated = |&constraint: &Term| !evaluator.value(&system.terms, constraint).is_true();
    let violated = system.invariant_constraints.iter().position(violated);
    violated.map_or(Ok(()), |constraint| {
        Err(TraceError::InvariantConstraint { step, constraint })
    })
}

fn check_step(
    system: &TransitionSystem,
    step: usize,
    after: &Step,
    evaluator: &mut Evaluator,
) -> Result<(), TraceError> {
    if !evaluator.value(&system.terms, system.guard).is_true() {
        return Err(TraceError::Guard { step });
    }
    for (variable, &value) in system.state.iter().zip(&after.state) {
        if variable
            .next
            .is_some_and(|next| evaluator.value(&system.terms, next) != value)
        {
            let variable = name(system, variable.current);
            return Err(TraceError::Next {
                step: step + 1,
                variable,
            });
        }
    }
    Ok(())
}

fn name(system: &TransitionSystem, variable: Term) -> String {
    system
        .terms
        .symbol_name(variable)
        .unwrap_or_default()
        .to_owned()
}
