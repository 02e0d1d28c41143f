//! Runs of a transition system as terms, frame by frame.
//!
//! The terms of frame `i` hold of the `i`-th state of a run and the input under which it is left. They live in the arena
//! of the system; new symbols are named after the variable and the frame, `x@3`.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::eval::{Evaluator, valuation};
use crate::term::{Substitution, Term, Terms, Value};
use crate::transition_system::{Step, Trace, TransitionSystem};

/// Where the runs start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// In an initial state.
    Initial,
    /// In any state.
    Arbitrary,
}

/// What the state variables are after the first frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// The next terms of the frame before: constants and what is known of the initial state simplify through the frames.
    Functional,
    /// Symbols of their own, with equations in [`Frame::entry`].
    Fresh,
}

/// An instance of the system for one position of a run.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The state, in the order of [`TransitionSystem::state`].
    pub state: Vec<Term>,
    /// The input symbols, in the order of [`TransitionSystem::inputs`].
    pub inputs: Vec<Term>,
    /// Boolean terms that say how the frame is reached: in the first frame that the state is initial; later the guard
    /// of the frame before and, with [`Link::Fresh`], that the state is its successor.
    pub entry: Vec<Term>,
    /// Whether the frame can be left.
    pub guard: Term,
    /// The invariant constraints.
    pub constraints: Vec<Term>,
    /// The bad terms, in the order of [`TransitionSystem::properties`].
    pub bad: Vec<Term>,
    /// From terms over state and inputs of the system to terms of the frame.
    instance: Substitution,
}

/// Makes frames on demand. All calls must be given the same system; its parts must not change between them.
///
/// A run of `n` transitions is a model of `entry` and `constraints` of the frames 0 to `n`; it violates property `p` if
/// it is a model of `frame(n).bad[p]` too.
#[derive(Clone, Debug)]
pub struct Unroller {
    start: Start,
    link: Link,
    frames: Vec<Frame>,
}

impl Unroller {
    /// No frames yet.
    pub fn new(start: Start, link: Link) -> Self {
        Self {
            start,
            link,
            frames: Vec::new(),
        }
    }

    /// The frame at a position; makes those up to it that do not exist.
    pub fn frame(&mut self, system: &mut TransitionSystem, position: usize) -> &Frame {
        while self.frames.len() <= position {
            let frame = self.next_frame(system);
            self.frames.push(frame);
        }
        &self.frames[position]
    }

    /// The frames made so far.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// A term over state and inputs of the system, of the frame at a position.
    pub fn at(&mut self, system: &mut TransitionSystem, position: usize, term: Term) -> Term {
        self.frame(system, position);
        self.frames[position]
            .instance
            .apply(&mut system.terms, term)
    }

    fn next_frame(&mut self, system: &mut TransitionSystem) -> Frame {
        let position = self.frames.len();
        let (state, entry) = match (self.frames.last_mut(), self.start) {
            (Some(last), _) => successor(system, last, position, self.link),
            (None, Start::Initial) => initial_state(system),
            (None, Start::Arbitrary) => (fresh_state(system, position), Vec::new()),
        };
        instantiate(system, position, state, entry)
    }

    /// The run of `length` frames from an initial state that a model describes, as a violation of a property.
    ///
    /// `value` gives the values of the symbols of the frames; it is asked for those only. States after the first are
    /// computed by the next terms of the system, so the run is one even if the model leaves symbols open.
    pub fn trace(
        &self,
        system: &TransitionSystem,
        property: usize,
        length: usize,
        mut value: impl FnMut(Term) -> Value,
    ) -> Trace {
        let mut steps: Vec<Step> = Vec::new();
        for frame in &self.frames[..length] {
            let inputs = frame.inputs.iter().map(|&input| value(input)).collect();
            let state = match steps.last() {
                None => evaluate_state(&system.terms, frame, &mut value),
                Some(step) => next_state(system, frame, step, &mut value),
            };
            steps.push(Step { state, inputs });
        }
        Trace { property, steps }
    }
}

/// The system's terms with `state` for its state and fresh symbols for its inputs.
fn instantiate(
    system: &mut TransitionSystem,
    position: usize,
    state: Vec<Term>,
    entry: Vec<Term>,
) -> Frame {
    let inputs: Vec<Term> = system
        .inputs
        .clone()
        .into_iter()
        .map(|input| fresh(&mut system.terms, input, position))
        .collect();
    let variables = system
        .state
        .iter()
        .map(|variable| variable.current)
        .zip(state.iter().copied());
    let images = variables.chain(system.inputs.iter().copied().zip(inputs.iter().copied()));
    let mut instance = Substitution::new(images.collect());
    let terms = &mut system.terms;
    let guard = instance.apply(terms, system.guard);
    let constraints = system
        .invariant_constraints
        .iter()
        .map(|&term| instance.apply(terms, term))
        .collect();
    let bad = system
        .properties
        .iter()
        .map(|property| instance.apply(terms, property.bad))
        .collect();
    Frame {
        state,
        inputs,
        entry,
        guard,
        constraints,
        bad,
        instance,
    }
}

/// A symbol for a variable at a position.
fn fresh(terms: &mut Terms, variable: Term, position: usize) -> Term {
    let name = format!(
        "{}@{position}",
        terms.symbol_name(variable).unwrap_or_default()
    );
    let sort = terms.sort(variable);
    terms.symbol(name, sort)
}

fn fresh_state(system: &mut TransitionSystem, position: usize) -> Vec<Term> {
    let TransitionSystem { terms, state, .. } = system;
    state
        .iter()
        .map(|variable| fresh(terms, variable.current, position))
        .collect()
}

/// The state after `last`, and how it is reached.
fn successor(
    system: &mut TransitionSystem,
    last: &mut Frame,
    position: usize,
    link: Link,
) -> (Vec<Term>, Vec<Term>) {
    let TransitionSystem { terms, state, .. } = system;
    let mut entry = vec![last.guard];
    let mut successor = Vec::with_capacity(state.len());
    for variable in state {
        let next = variable.next.map(|next| last.instance.apply(terms, next));
        successor.push(match (next, link) {
            (Some(next), Link::Functional) => next,
            (Some(next), Link::Fresh) => {
                let symbol = fresh(terms, variable.current, position);
                entry.push(terms.equal(symbol, next));
                symbol
            }
            (None, Link::Functional | Link::Fresh) => fresh(terms, variable.current, position),
        });
    }
    (successor, entry)
}

/// The initial state, and what must hold of it.
///
/// An initial value may be a term over other state variables. Those that can be resolved one after the other are; a
/// cycle is left to equations.
fn initial_state(system: &mut TransitionSystem) -> (Vec<Term>, Vec<Term>) {
    let mut images: FxHashMap<Term, Term> = FxHashMap::default();
    let mut open: Vec<(Term, Term)> = Vec::new();
    for variable in &system.state {
        match variable.initial {
            Some(initial) => open.push((variable.current, initial)),
            None => {
                images.insert(
                    variable.current,
                    fresh(&mut system.terms, variable.current, 0),
                );
            }
        }
    }
    resolve(&mut system.terms, &mut images, &mut open);
    let cyclic: Vec<Term> = open.iter().map(|&(current, _)| current).collect();
    for current in cyclic {
        images.insert(current, fresh(&mut system.terms, current, 0));
    }
    let mut instance = Substitution::new(images.clone());
    let terms = &mut system.terms;
    let mut entry: Vec<Term> = system
        .initial_constraints
        .iter()
        .map(|&term| instance.apply(terms, term))
        .collect();
    for (current, initial) in open {
        let initial = instance.apply(terms, initial);
        entry.push(terms.equal(images[&current], initial));
    }
    (
        system
            .state
            .iter()
            .map(|variable| images[&variable.current])
            .collect(),
        entry,
    )
}

/// Moves from `open` to `images` what depends on images only, as long as there is any.
fn resolve(terms: &mut Terms, images: &mut FxHashMap<Term, Term>, open: &mut Vec<(Term, Term)>) {
    loop {
        let unresolved: FxHashSet<Term> = open.iter().map(|&(current, _)| current).collect();
        let before = open.len();
        let mut instance = Substitution::new(images.clone());
        open.retain(|&(current, initial)| {
            if terms
                .cone(&[initial])
                .iter()
                .any(|term| unresolved.contains(term))
            {
                return true;
            }
            images.insert(current, instance.apply(terms, initial));
            false
        });
        if open.len() == before {
            return;
        }
    }
}

/// The values of the state terms of a frame.
fn evaluate_state(
    terms: &Terms,
    frame: &Frame,
    value: &mut impl FnMut(Term) -> Value,
) -> Vec<Value> {
    let symbols = terms
        .cone(&frame.state)
        .into_iter()
        .filter(|&term| terms.is_symbol(term));
    let mut evaluator = Evaluator::new(symbols.map(|symbol| (symbol, value(symbol))).collect());
    frame
        .state
        .iter()
        .map(|&term| evaluator.value(terms, term))
        .collect()
}

/// The values of the state after `step`; those without next term are the model's.
fn next_state(
    system: &TransitionSystem,
    frame: &Frame,
    step: &Step,
    value: &mut impl FnMut(Term) -> Value,
) -> Vec<Value> {
    let mut evaluator = Evaluator::new(valuation(system, step));
    let variables = system.state.iter().zip(&frame.state);
    variables
        .map(|(variable, &symbol)| match variable.next {
            Some(next) => evaluator.value(&system.terms, next),
            None => value(symbol),
        })
        .collect()
}
