//! The values that terms of a system can have in the states that it reaches.

use std::cell::Cell;

use rustc_hash::{FxHashMap, FxHashSet};

use super::operators::results;
use super::slice::circular_initial_values;
use super::values::Values;
use crate::term::{Binary, Node, Term, Terms, Value, all_ones};
use crate::transition_system::{StateVariable, TransitionSystem};

/// More comparisons of a variable than these are not told apart.
const MAX_CUTS: usize = 64;

/// With more terms than these in all next values, those of the last variables are not looked at for each value.
const MAX_CONES: usize = 2_000_000;

/// After so many looks at terms, variables are not looked at for each value any more, which takes longer than it helps.
const MAX_LOOKS: usize = 1_000_000;

/// The values of all terms of a system, by position in the arena.
///
/// They are the least sets such that those of the state contain the initial values, and the next values when the
/// variables have values of their sets: by induction, all values that are reached. A variable's next value is looked at
/// once for each value that the variable itself can have.
pub(super) fn value_sets(system: &TransitionSystem) -> Vec<Values> {
    analyse(system, MAX_LOOKS)
}

/// The same, with another limit than [`MAX_LOOKS`].
fn analyse(system: &TransitionSystem, most_looks: usize) -> Vec<Values> {
    let mut analysis = ValueSetAnalysis::new(system, most_looks);
    loop {
        analysis.sweep();
        if !analysis.step() {
            return analysis.sets;
        }
    }
}

struct ValueSetAnalysis<'a> {
    system: &'a TransitionSystem,
    /// All terms but constants and variables, operands first.
    cone: Vec<Term>,
    sets: Vec<Values>,
    /// Whose set has grown since the last sweep, by position in the arena.
    grown: Vec<bool>,
    /// By position of the state variable.
    own: Vec<Own>,
    /// How often a term may still be looked at for a value of a variable.
    looks_left: Cell<usize>,
}

impl<'a> ValueSetAnalysis<'a> {
    fn new(system: &'a TransitionSystem, most_looks: usize) -> Self {
        let terms = &system.terms;
        let mut analysis = Self {
            system,
            cone: Vec::new(),
            sets: vec![Values::NONE; terms.len()],
            grown: vec![false; terms.len()],
            own: Vec::new(),
            looks_left: Cell::new(most_looks),
        };
        let determined = determined(system);
        let variables = system.state.iter().map(|variable| variable.current);
        let roots: Vec<Term> = variables.chain(system.parts()).collect();
        for term in terms.cone(&roots) {
            if let Some(value) = terms.as_value(term) {
                analysis.grow(term, &Values::of(vec![value.bits()]));
            } else if !terms.is_symbol(term) {
                analysis.cone.push(term);
            } else if !determined.contains(&term) {
                analysis.grow(term, &Values::all(terms.sort(term)));
            }
        }
        let mut left = MAX_CONES;
        let own = |variable: &StateVariable| {
            let next = variable.next.filter(|_| left > 0);
            let cone = next.map_or_else(Vec::new, |next| terms.cone(&[next]));
            left = left.saturating_sub(cone.len());
            Own::of(terms, variable.current, cone)
        };
        analysis.own = system.state.iter().map(own).collect();
        analysis
    }

    fn set(&self, term: Term) -> &Values {
        &self.sets[term.index()]
    }

    fn has_grown(&self, term: Term) -> bool {
        self.grown[term.index()]
    }

    /// Adds values to the set of a term.
    fn grow(&mut self, term: Term, values: &Values) {
        let union = self.set(term).union(values);
        if union != *self.set(term) {
            self.sets[term.index()] = union;
            self.grown[term.index()] = true;
        }
    }

    /// Computes the sets of all terms from those of the variables.
    fn sweep(&mut self) {
        let terms = &self.system.terms;
        for term in std::mem::take(&mut self.cone) {
            if terms
                .node(term)
                .operands()
                .any(|operand| self.has_grown(operand))
            {
                let values = results(terms, term, |operand| self.set(operand));
                self.grow(term, &values);
            }
            self.cone.push(term);
        }
    }

    /// Adds initial and next values to the sets of the variables; `false` if they have them all.
    fn step(&mut self) -> bool {
        let state = &self.system.state;
        let next: Vec<(Term, Values)> = state
            .iter()
            .enumerate()
            .flat_map(|(position, variable)| {
                let initial = variable.initial.map(|initial| self.set(initial).clone());
                let next = variable.next.and_then(|next| self.next(position, next));
                let values = initial.into_iter().chain(next);
                values.map(|values| (variable.current, values))
            })
            .collect();
        self.grown.fill(false);
        for (variable, values) in next {
            let values = self.set(variable).widened(&values);
            self.grow(variable, &values);
        }
        state
            .iter()
            .any(|variable| self.has_grown(variable.current))
    }

    /// The next values of a variable, if they may be more than those after the step before.
    fn next(&self, position: usize, next: Term) -> Option<Values> {
        let terms = &self.system.terms;
        let current = self.system.state[position].current;
        let Own { dependent, cuts } = &self.own[position];
        if dependent.is_empty() || self.looks_left.get() == 0 {
            return Some(self.set(next).clone());
        }
        let mut operands = dependent
            .iter()
            .flat_map(|&term| terms.node(term).operands());
        if !operands.any(|operand| self.has_grown(operand)) {
            return None;
        }
        let mut union = Values::NONE;
        for piece in self.set(current).pieces(cuts) {
            self.looks_left
                .update(|left| left.saturating_sub(dependent.len()));
            let mut sets = FxHashMap::from_iter([(current, piece)]);
            for &term in dependent {
                let set = |operand| sets.get(&operand).unwrap_or_else(|| self.set(operand));
                let results = results(terms, term, set);
                sets.insert(term, results);
            }
            union = union.union(&sets[&next]);
        }
        Some(union)
    }
}

/// The variables whose values are all initial or next values of variables.
fn determined(system: &TransitionSystem) -> FxHashSet<Term> {
    let circular: FxHashSet<Term> = circular_initial_values(system).into_iter().collect();
    let state = system.state.iter();
    let determined = state.filter(|variable| variable.initial.is_some() && variable.next.is_some());
    let determined = determined.map(|variable| variable.current);
    determined
        .filter(|variable| !circular.contains(variable))
        .collect()
}

/// How a variable's next value depends on its current one.
struct Own {
    /// The terms of the next value that depend on the current one, operands first.
    dependent: Vec<Term>,
    /// The least values of the ranges that comparisons with constants tell apart, in ascending order.
    cuts: Vec<u128>,
}

impl Own {
    /// Of the terms that a variable's next value is made of, operands first.
    fn of(terms: &Terms, variable: Term, mut cone: Vec<Term>) -> Self {
        let mut known = FxHashSet::from_iter([variable]);
        cone.retain(|&term| {
            let mut operands = terms.node(term).operands();
            operands.any(|operand| known.contains(&operand)) && known.insert(term)
        });
        let dependent = cone;
        let cuts = dependent
            .iter()
            .flat_map(|&term| cuts(terms, variable, term));
        let mut cuts: Vec<u128> = cuts.collect();
        cuts.sort_unstable();
        cuts.dedup();
        cuts.truncate(MAX_CUTS);
        Self { dependent, cuts }
    }
}

/// Where the outcome of a comparison of a variable, or of a sum with it, with a constant changes.
fn cuts(terms: &Terms, variable: Term, term: Term) -> Vec<u128> {
    let Node::Binary(Binary::Equal | Binary::UnsignedLess | Binary::SignedLess, a, b) =
        terms.node(term)
    else {
        return Vec::new();
    };
    let bits = |term: Term| terms.as_value(term).map(Value::bits);
    let (mut side, mut constant) = match (bits(a), bits(b)) {
        (Some(constant), None) => (b, constant),
        (None, Some(constant)) => (a, constant),
        _ => return Vec::new(),
    };
    while side != variable {
        side = match terms.node(side) {
            Node::ZeroExtend(_, inner) | Node::SignExtend(_, inner) => inner,
            Node::Binary(Binary::Add, inner, offset) => {
                let Some(offset) = bits(offset) else {
                    return Vec::new();
                };
                constant = constant.wrapping_sub(offset);
                inner
            }
            Node::Constant(_)
            | Node::Symbol(_)
            | Node::Unary(..)
            | Node::Binary(..)
            | Node::Ite(..)
            | Node::Extract { .. } => return Vec::new(),
        };
    }
    let greatest = all_ones(terms.width(variable));
    vec![constant & greatest, constant.wrapping_add(1) & greatest]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Evaluator, valuation};
    use crate::testing::{Random, random_narrow_system};
    use crate::transition_system::Step;

    fn contains(values: &Values, bits: u128) -> bool {
        match values {
            Values::Few(values) => values.contains(&bits),
            Values::Range(range) => {
                (range.first..=range.last).contains(&bits) && bits & !range.ones == 0
            }
        }
    }

    /// A run from initial values, whatever guard and constraints say.
    fn run(random: &mut Random, system: &TransitionSystem) -> Vec<Step> {
        let terms = &system.terms;
        let mut steps: Vec<Step> = Vec::new();
        for _ in 0..20 {
            let inputs = system.inputs.iter();
            let inputs = inputs
                .map(|&input| random.value(terms.sort(input)))
                .collect();
            let mut before = steps
                .last()
                .map(|step| Evaluator::new(valuation(system, step)));
            let mut value = |variable: &StateVariable| match &mut before {
                Some(before) => variable.next.map(|next| before.value(terms, next)),
                None => variable.initial.and_then(|initial| terms.as_value(initial)),
            };
            let values = system.state.iter().map(|variable| {
                let any = random.value(terms.sort(variable.current));
                value(variable).unwrap_or(any)
            });
            let state = values.collect();
            steps.push(Step { state, inputs });
        }
        steps
    }

    #[test]
    fn values_that_are_reached_are_found_however_few_looks_are_allowed() {
        let mut narrower = 0;
        for seed in 0..100 {
            let mut random = Random::new(seed);
            let system = random_narrow_system(&mut random);
            let run = run(&mut random, &system);
            let all = [0, 1, 20, usize::MAX].map(|most| analyse(&system, most));
            for sets in &all {
                for (position, variable) in system.state.iter().enumerate() {
                    let set = &sets[variable.current.index()];
                    let mut values = run.iter().map(|step| step.state[position].bits());
                    assert!(values.all(|bits| contains(set, bits)), "seed {seed}");
                }
            }
            narrower += usize::from(all[0] != all[3]);
        }
        assert!(narrower > 0, "the limit makes no difference");
    }
}
