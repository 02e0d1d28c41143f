//! State variables that always have the value of another one.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::SystemReduction;
use super::reduction::replace;
use crate::term::{Substitution, Term};
use crate::transition_system::TransitionSystem;

/// Replaces state variables by an equal one.
///
/// The variables fall into the coarsest classes such that those of a class start with the same value, and have the same
/// next value when the variables of each class are equal: by induction they stay equal.
pub fn equal_variables(mut system: TransitionSystem) -> (TransitionSystem, SystemReduction) {
    let representatives = classes(&mut system);
    let larger = system.clone_without_terms();
    let mut invariant = Vec::with_capacity(representatives.len());
    for variable in &system.state {
        if let Some(&representative) = representatives.get(&variable.current) {
            invariant.push(system.terms.equal(variable.current, representative));
        }
    }
    replace(&mut system, &representatives);
    let (system, reduction) = SystemReduction::restrict(system, larger, invariant, |variable| {
        !representatives.contains_key(&variable)
    });
    (system, reduction.with_images(&representatives))
}

/// For each variable that is not the first of its class, the first one.
fn classes(system: &mut TransitionSystem) -> FxHashMap<Term, Term> {
    // A variable that may start or go on with any value is alone, and so is one whose initial value may be in a circle.
    let constant = |initial: &Term| system.terms.as_value(*initial).is_some();
    let mut keys: Vec<(Term, Term)> = system
        .state
        .iter()
        .map(
            |variable| match (variable.initial.filter(constant), variable.next) {
                (Some(initial), Some(_)) => (initial, initial),
                (None, _) | (Some(_), None) => (variable.current, variable.current),
            },
        )
        .collect();
    loop {
        let representatives = representatives(system, &keys);
        let mut instance = Substitution::new(representatives.clone());
        let mut finer = keys.clone();
        for (key, variable) in finer.iter_mut().zip(&system.state) {
            let class = representatives
                .get(&variable.current)
                .copied()
                .unwrap_or(variable.current);
            let next = variable.next.unwrap_or(variable.current);
            *key = (class, instance.apply(&mut system.terms, next));
        }
        if self::representatives(system, &finer) == representatives {
            return representatives;
        }
        keys = finer;
    }
}

/// The first variable with the same key, for the others.
fn representatives(system: &TransitionSystem, keys: &[(Term, Term)]) -> FxHashMap<Term, Term> {
    let mut first: BTreeMap<(Term, Term), Term> = BTreeMap::new();
    let mut representatives = FxHashMap::default();
    for (&key, variable) in keys.iter().zip(&system.state) {
        let representative = *first.entry(key).or_insert(variable.current);
        if representative != variable.current {
            representatives.insert(variable.current, representative);
        }
    }
    representatives
}
