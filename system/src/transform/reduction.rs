//! The way back from a system to one with more variables.

use rustc_hash::FxHashMap;

use crate::eval::{Evaluator, valuation};
use crate::term::{Substitution, Term, Terms, Value};
use crate::transition_system::{Proof, Step, Trace, TransitionSystem, Verdict};

/// Leads from a system to the larger one that it was made from by leaving out variables, or making them narrower. The
/// systems agree on the variables that both have, and the smaller one's runs are those of the larger one, restricted to them.
#[derive(Clone, Debug)]
pub struct SystemReduction {
    /// The larger system; its arena is with the smaller one.
    larger: TransitionSystem,
    /// Boolean terms that together are an inductive invariant of the larger system.
    invariant: Vec<Term>,
    /// The variables of the larger system that the smaller one has in a narrower form.
    narrowed: Vec<Narrowed>,
    /// What the smaller system has instead of variables of the larger one.
    images: FxHashMap<Term, Term>,
}

/// A state variable and a narrower one that stands for it. Each value of the larger one that its system's invariant admits
/// has a code of its own.
#[derive(Clone, Debug)]
pub(super) struct Narrowed {
    /// The variable of the larger system.
    pub(super) variable: Term,
    /// The variable of the smaller system.
    pub(super) code: Term,
    /// The value of `variable`, as a term over `code`.
    pub(super) decoded: Term,
    /// The value of `code`, as a term over `variable`.
    pub(super) encoded: Term,
}

impl SystemReduction {
    /// Leaves out of a system all variables but the kept ones. Nothing that is kept may mention the others.
    pub(super) fn restrict(
        mut system: TransitionSystem,
        larger: TransitionSystem,
        invariant: Vec<Term>,
        keep: impl Fn(Term) -> bool,
    ) -> (TransitionSystem, Self) {
        system.state.retain(|variable| keep(variable.current));
        system.inputs.retain(|&input| keep(input));
        let reduction = Self {
            larger,
            invariant,
            narrowed: Vec::new(),
            images: FxHashMap::default(),
        };
        (system, reduction)
    }

    /// The same, where the smaller system has images of some variables instead of them.
    pub(super) fn with_images(self, images: &FxHashMap<Term, Term>) -> Self {
        let variables = self.larger.state.iter().map(|variable| variable.current);
        let images = variables.filter_map(|variable| Some((variable, *images.get(&variable)?)));
        Self {
            images: images.collect(),
            ..self
        }
    }

    /// The same, where the smaller system has codes for some variables.
    pub(super) fn with_codes(self, narrowed: Vec<Narrowed>) -> Self {
        Self { narrowed, ..self }
    }

    /// A term over the larger system, as one over the smaller system. It may mention variables that neither properties nor runs of the
    /// smaller one depend on.
    pub(super) fn image(&self, terms: &mut Terms, term: Term) -> Term {
        Substitution::new(self.images.clone()).apply(terms, term)
    }

    /// The larger system, and the verdict on it.
    pub fn undo(self, smaller: TransitionSystem, verdict: Verdict) -> (TransitionSystem, Verdict) {
        let Self {
            mut larger,
            invariant,
            narrowed,
            images: _,
        } = self;
        let variables = Variables::of(&smaller);
        larger.terms = smaller.terms;
        let verdict = match verdict {
            Verdict::Unsafe(trace) => {
                Verdict::Unsafe(complete(&larger, &variables, &narrowed, trace))
            }
            Verdict::Safe(proof) => {
                let proof = widened(&mut larger.terms, &narrowed, proof);
                Verdict::Safe(strengthened(&mut larger.terms, invariant, proof))
            }
            Verdict::Unknown(reason) => Verdict::Unknown(reason),
        };
        (larger, verdict)
    }
}

/// Replaces variables in all terms of a system.
pub(super) fn replace(system: &mut TransitionSystem, images: &FxHashMap<Term, Term>) {
    let mut instance = Substitution::new(images.clone());
    let TransitionSystem {
        terms,
        state,
        guard,
        initial_constraints,
        invariant_constraints,
        properties,
        ..
    } = system;
    let variables = state
        .iter_mut()
        .flat_map(|variable| variable.initial.iter_mut().chain(&mut variable.next));
    let bad = properties.iter_mut().map(|property| &mut property.bad);
    let constraints = initial_constraints.iter_mut().chain(invariant_constraints);
    for term in variables.chain(bad).chain(constraints).chain([guard]) {
        *term = instance.apply(terms, *term);
    }
}

/// The variables of a system, in order.
struct Variables {
    state: Vec<Term>,
    inputs: Vec<Term>,
}

impl Variables {
    fn of(system: &TransitionSystem) -> Self {
        let state = system
            .state
            .iter()
            .map(|variable| variable.current)
            .collect();
        Self {
            state,
            inputs: system.inputs.clone(),
        }
    }

    fn valuation(&self, step: &Step) -> FxHashMap<Term, Value> {
        let state = self.state.iter().copied().zip(step.state.iter().copied());
        state
            .chain(self.inputs.iter().copied().zip(step.inputs.iter().copied()))
            .collect()
    }
}

/// A proof that speaks of the variables instead of their codes.
fn widened(terms: &mut Terms, narrowed: &[Narrowed], proof: Proof) -> Proof {
    let encoded = narrowed
        .iter()
        .map(|narrowed| (narrowed.code, narrowed.encoded));
    let mut encoded = Substitution::new(encoded.collect());
    match proof {
        Proof::Inductive(invariant) => Proof::Inductive(encoded.apply(terms, invariant)),
        Proof::KInduction {
            depth,
            distinct,
            invariant,
        } => {
            let variables = narrowed
                .iter()
                .map(|narrowed| (narrowed.code, narrowed.variable));
            let variables: FxHashMap<Term, Term> = variables.collect();
            let variable = |code: Term| variables.get(&code).copied().unwrap_or(code);
            Proof::KInduction {
                depth,
                distinct: distinct.map(|codes| codes.into_iter().map(variable).collect()),
                invariant: encoded.apply(terms, invariant),
            }
        }
        Proof::Exhausted { depth } => Proof::Exhausted { depth },
    }
}

/// A proof that may use the invariant.
fn strengthened(terms: &mut Terms, invariant: Vec<Term>, proof: Proof) -> Proof {
    match proof {
        Proof::Inductive(own) => {
            Proof::Inductive(terms.and_all(invariant.into_iter().chain([own])))
        }
        Proof::KInduction {
            depth,
            distinct,
            invariant: own,
        } => {
            let invariant = terms.and_all(invariant.into_iter().chain([own]));
            Proof::KInduction {
                depth,
                distinct,
                invariant,
            }
        }
        Proof::Exhausted { depth } => Proof::Exhausted { depth },
    }
}

/// The run of the larger system with the values of the trace; what the trace leaves open is zero.
fn complete(
    larger: &TransitionSystem,
    variables: &Variables,
    narrowed: &[Narrowed],
    trace: Trace,
) -> Trace {
    let mut steps: Vec<Step> = Vec::with_capacity(trace.steps.len());
    for step in &trace.steps {
        let mut known = variables.valuation(step);
        let mut decode = Evaluator::new(known.clone());
        for narrowed in narrowed {
            let value = decode.value(&larger.terms, narrowed.decoded);
            known.insert(narrowed.variable, value);
        }
        let value = |term: Term| {
            known
                .get(&term)
                .copied()
                .unwrap_or_else(|| Value::zero(larger.terms.sort(term)))
        };
        let state = match steps.last() {
            None => initial_state(larger, &known),
            Some(before) => {
                let mut evaluator = Evaluator::new(valuation(larger, before));
                let variables = larger.state.iter();
                variables
                    .map(|variable| match variable.next {
                        Some(next) => evaluator.value(&larger.terms, next),
                        None => value(variable.current),
                    })
                    .collect()
            }
        };
        let inputs = larger.inputs.iter().map(|&input| value(input)).collect();
        steps.push(Step { state, inputs });
    }
    Trace {
        property: trace.property,
        steps,
    }
}

/// An initial state with the known values. Initial values may depend on each other, but not in a circle among variables
/// that are not known; so as many rounds as there are variables settle them.
fn initial_state(system: &TransitionSystem, known: &FxHashMap<Term, Value>) -> Vec<Value> {
    let mut values = known.clone();
    for _ in &system.state {
        let mut evaluator = Evaluator::new(values.clone());
        let unknown = system
            .state
            .iter()
            .filter(|variable| !known.contains_key(&variable.current));
        let mut changed = false;
        for (current, initial) in
            unknown.filter_map(|variable| Some((variable.current, variable.initial?)))
        {
            let value = evaluator.value(&system.terms, initial);
            changed |= values.insert(current, value) != Some(value);
        }
        if !changed {
            break;
        }
    }
    let value = |term: Term| {
        values
            .get(&term)
            .copied()
            .unwrap_or_else(|| Value::zero(system.terms.sort(term)))
    };
    system
        .state
        .iter()
        .map(|variable| value(variable.current))
        .collect()
}
