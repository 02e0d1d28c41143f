//! The part of a system that its properties depend on.

use rustc_hash::FxHashSet;

use super::SystemReduction;
use crate::term::{Term, Terms};
use crate::transition_system::TransitionSystem;

/// Leaves out the variables that neither the properties nor what restricts runs depend on: guard, constraints, and
/// initial values that depend on themselves, since no state might satisfy them.
pub fn slice(system: TransitionSystem) -> (TransitionSystem, SystemReduction) {
    let relevant = relevant(&system);
    let larger = system.clone_without_terms();
    SystemReduction::restrict(system, larger, Vec::new(), |variable| {
        relevant.contains(&variable)
    })
}

fn relevant(system: &TransitionSystem) -> FxHashSet<Term> {
    let properties = system.properties.iter().map(|property| property.bad);
    let constraints = system
        .initial_constraints
        .iter()
        .chain(&system.invariant_constraints)
        .copied();
    let mut open: Vec<Term> = properties
        .chain(constraints)
        .chain([system.guard])
        .collect();
    open.extend(circular_initial_values(system));
    let mut relevant: FxHashSet<Term> = FxHashSet::default();
    while !open.is_empty() {
        let reached = |symbol: &Term| relevant.insert(*symbol);
        let new: FxHashSet<Term> = symbols(&system.terms, &open)
            .into_iter()
            .filter(reached)
            .collect();
        let reached = system
            .state
            .iter()
            .filter(|variable| new.contains(&variable.current));
        open = reached
            .flat_map(|variable| variable.initial.into_iter().chain(variable.next))
            .collect();
    }
    relevant
}

fn symbols(terms: &Terms, roots: &[Term]) -> Vec<Term> {
    terms
        .cone(roots)
        .into_iter()
        .filter(|&term| terms.is_symbol(term))
        .collect()
}

/// The variables whose initial values depend on each other in a circle, or on such variables.
pub(super) fn circular_initial_values(system: &TransitionSystem) -> Vec<Term> {
    let dependent = system
        .state
        .iter()
        .filter_map(|variable| Some((variable.current, variable.initial?)));
    let mut open: Vec<(Term, Vec<Term>)> = dependent
        .map(|(current, initial)| (current, symbols(&system.terms, &[initial])))
        .collect();
    loop {
        let unresolved: FxHashSet<Term> = open.iter().map(|&(current, _)| current).collect();
        let before = open.len();
        open.retain(|(_, symbols)| symbols.iter().any(|symbol| unresolved.contains(symbol)));
        if open.len() == before {
            return open.into_iter().map(|(current, _)| current).collect();
        }
    }
}
