//! State variables that keep their initial constant.

use rustc_hash::{FxHashMap, FxHashSet};

use super::SystemReduction;
use super::reduction::replace;
use crate::term::{Substitution, Term};
use crate::transition_system::TransitionSystem;

/// Replaces state variables by the constant that they always have.
///
/// The variables are the largest set such that each starts with a constant, and its next value is that constant when
/// all variables of the set have theirs: by induction they keep it.
pub fn constants(mut system: TransitionSystem) -> (TransitionSystem, SystemReduction) {
    let constants = inductive_constants(&mut system);
    let larger = system.clone_without_terms();
    let mut invariant = Vec::with_capacity(constants.len());
    for variable in &system.state {
        if let Some(&constant) = constants.get(&variable.current) {
            invariant.push(system.terms.equal(variable.current, constant));
        }
    }
    replace(&mut system, &constants);
    let (system, reduction) = SystemReduction::restrict(system, larger, invariant, |variable| {
        !constants.contains_key(&variable)
    });
    (system, reduction.with_images(&constants))
}

fn inductive_constants(system: &mut TransitionSystem) -> FxHashMap<Term, Term> {
    let constant = |initial: Term| system.terms.as_value(initial).is_some();
    let candidates = system
        .state
        .iter()
        .filter_map(|variable| Some((variable.current, variable.initial?)));
    let mut constants: FxHashMap<Term, Term> = candidates
        .filter(|&(_, initial)| constant(initial))
        .collect();
    loop {
        let mut instance = Substitution::new(constants.clone());
        let mut changing: FxHashSet<Term> = FxHashSet::default();
        for variable in &system.state {
            let Some(&constant) = constants.get(&variable.current) else {
                continue;
            };
            let next = variable
                .next
                .map(|next| instance.apply(&mut system.terms, next));
            if next != Some(constant) {
                changing.insert(variable.current);
            }
        }
        if changing.is_empty() {
            return constants;
        }
        constants.retain(|variable, _| !changing.contains(variable));
    }
}
