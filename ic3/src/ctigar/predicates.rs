//! All predicates found so far, and the subset of them that is the precision.

use rustc_hash::{FxHashMap, FxHashSet};
use system::eval::Repeated;
use system::term::{Node, Sort, Substitution, Term, Terms, Unary, Value};
use system::transition_system::TransitionSystem;

use super::cube::{Cube, Literal, Predicate};
use super::step_relation::StepRelation;

/// Boolean terms over the state, each with its meaning after a step.
///
/// The bits of the state are always among them, since concrete sets of states are cubes of bits. The precision is the set of
/// the *active* predicates: abstraction speaks of those only.
#[derive(Debug)]
pub struct Predicates {
    entries: Vec<Entry>,
    index: FxHashMap<Term, Predicate>,
    /// The bits of each state variable, lowest first.
    bits: Vec<Vec<Predicate>>,
    active: Vec<Predicate>,
    evaluation: Option<Repeated>,
    variables: FxHashMap<Term, usize>,
    initially: Substitution,
}

#[derive(Debug)]
struct Entry {
    /// The terms of the positive and of the negative literal, in the current state.
    now: [Term; 2],
    /// The same, after a step.
    after: [Term; 2],
    /// The truth value that it has in all initial states, where that is evident.
    initially: Option<bool>,
    /// Positions of the state variables that it mentions, ascending.
    support: Vec<usize>,
    active: bool,
}

impl Predicates {
    /// The bits of the state; no predicate is active.
    pub fn new(system: &mut TransitionSystem, step: &mut StepRelation) -> Self {
        let variables = step.state.iter().copied().zip(0..).collect();
        let mut predicates = Self {
            entries: Vec::new(),
            index: FxHashMap::default(),
            bits: Vec::new(),
            active: Vec::new(),
            evaluation: None,
            variables,
            initially: initial_values(system),
        };
        for variable in step.state.clone() {
            let bits = bits_of(&mut system.terms, variable);
            let bits = bits.into_iter();
            let bits = bits
                .map(|bit| predicates.intern(system, step, bit).predicate())
                .collect();
            predicates.bits.push(bits);
        }
        predicates
    }

    /// The literal of a Boolean term over the state that is no constant.
    pub fn intern(
        &mut self,
        system: &mut TransitionSystem,
        step: &mut StepRelation,
        term: Term,
    ) -> Literal {
        if let Node::Unary(Unary::Not, inner) = system.terms.node(term) {
            return !self.intern(system, step, inner);
        }
        if let Some(&known) = self.index.get(&term) {
            return known.literal(true);
        }
        let after = step.after(system, term);
        let terms = &mut system.terms;
        let initially = self.initially.apply(terms, term);
        let cone = terms.cone(&[term]).into_iter();
        let mut support: Vec<usize> = cone
            .filter_map(|part| self.variables.get(&part).copied())
            .collect();
        support.sort_unstable();
        let entry = Entry {
            now: [term, terms.not(term)],
            after: [after, terms.not(after)],
            initially: terms.as_value(initially).map(Value::is_true),
            support,
            active: false,
        };
        let predicate = Predicate(self.entries.len() as u32);
        self.entries.push(entry);
        self.index.insert(term, predicate);
        predicate.literal(true)
    }

    /// Makes a predicate part of the precision; `false` if it was already.
    pub fn activate(&mut self, predicate: Predicate) -> bool {
        let entry = &mut self.entries[predicate.index()];
        if std::mem::replace(&mut entry.active, true) {
            return false;
        }
        self.active.push(predicate);
        self.evaluation = None;
        true
    }

    /// Whether a predicate is part of the precision.
    pub fn is_active(&self, predicate: Predicate) -> bool {
        self.entries[predicate.index()].active
    }

    /// Whether all bits of the state are part of the precision.
    pub fn is_exact(&self) -> bool {
        self.bits().all(|bit| self.is_active(bit))
    }

    /// The predicate of the precision that a term is, if that is about several variables.
    pub fn relation(&self, term: Term) -> Option<Predicate> {
        let predicate = *self.index.get(&term)?;
        let entry = &self.entries[predicate.index()];
        (entry.active && entry.support.len() > 1).then_some(predicate)
    }

    /// The precision, in the order of activation.
    pub fn active(&self) -> &[Predicate] {
        &self.active
    }

    /// All bits of the state.
    pub fn bits(&self) -> impl Iterator<Item = Predicate> + '_ {
        self.bits.iter().flatten().copied()
    }

    /// The literal as a term over the state.
    pub fn now(&self, literal: Literal) -> Term {
        self.entries[literal.predicate().index()].now[usize::from(!literal.value())]
    }

    /// The literal after a step, as a term over state and inputs.
    pub fn after(&self, literal: Literal) -> Term {
        self.entries[literal.predicate().index()].after[usize::from(!literal.value())]
    }

    /// Whether it is evident that a literal holds in no initial state.
    pub fn is_initially_false(&self, literal: Literal) -> bool {
        self.entries[literal.predicate().index()].initially == Some(!literal.value())
    }

    /// The positions of the state variables that a predicate mentions.
    pub fn support(&self, predicate: Predicate) -> &[usize] {
        &self.entries[predicate.index()].support
    }

    /// The state variables of a cube.
    pub fn support_of(&self, cube: &Cube) -> FxHashSet<usize> {
        let literals = cube.iter();
        literals
            .flat_map(|literal| self.support(literal.predicate()).iter().copied())
            .collect()
    }

    /// The literals of the precision that hold in a state.
    pub fn abstraction(&mut self, terms: &Terms, step: &StepRelation, state: &[Value]) -> Cube {
        let active = &self.active;
        let entries = &self.entries;
        let evaluation = self.evaluation.get_or_insert_with(|| {
            let roots: Vec<Term> = active
                .iter()
                .map(|predicate| entries[predicate.index()].now[0])
                .collect();
            Repeated::new(terms, &roots)
        });
        debug_assert_eq!(step.state.len(), state.len());
        evaluation.run(terms, |symbol| {
            self.variables.get(&symbol).map(|&position| state[position])
        });
        let value = |predicate: &Predicate| {
            let now = entries[predicate.index()].now[0];
            predicate.literal(evaluation.value(now).is_true())
        };
        active.iter().map(value).collect()
    }

    /// The literals of all bits that hold in a state.
    pub fn exact(&self, state: &[Value]) -> impl Iterator<Item = Literal> + '_ {
        let values: Vec<u128> = state.iter().map(|value| value.bits()).collect();
        let variables = self.bits.iter().zip(values);
        variables
            .flat_map(|(bits, value)| {
                let bits = bits.iter().zip(0u32..);
                bits.map(move |(&bit, position)| (bit, value >> position & 1 == 1))
            })
            .map(|(bit, value)| bit.literal(value))
    }
}

/// The bits of a variable as Boolean terms, lowest first.
fn bits_of(terms: &mut Terms, variable: Term) -> Vec<Term> {
    match terms.sort(variable) {
        Sort::Bool => vec![variable],
        Sort::BitVec(width) => (0..width)
            .map(|bit| {
                let bit = terms.extract(bit, bit, variable);
                terms.bit_to_bool(bit)
            })
            .collect(),
    }
}

/// The variables' first values, where those are constants.
fn initial_values(system: &TransitionSystem) -> Substitution {
    let constant = |term: &Term| system.terms.as_value(*term).is_some();
    let known = system.state.iter();
    let known =
        known.filter_map(|variable| Some((variable.current, variable.initial.filter(constant)?)));
    Substitution::new(known.collect())
}
