//! The initial precision: the comparisons in the system.

use rustc_hash::FxHashMap;
use system::term::{Binary, Node, Sort, Term, Terms};
use system::transition_system::TransitionSystem;

use super::precision::Precision;
use super::predicates::Predicates;
use super::step_relation::StepRelation;

/// Atoms that are made of more terms are left out.
const LARGEST_ATOM: usize = 40;

/// Activates the predicates of a precision.
pub fn activate(
    system: &mut TransitionSystem,
    step: &mut StepRelation,
    predicates: &mut Predicates,
    precision: Precision,
) {
    for atom in atoms_of(system, &system.step_parts().collect::<Vec<_>>()) {
        let literal = predicates.intern(system, step, atom);
        predicates.activate(literal.predicate());
    }
    if precision == Precision::Exact {
        for bit in predicates.bits().collect::<Vec<_>>() {
            predicates.activate(bit);
        }
    }
}

/// The constants that the system mentions, initial values included.
pub fn constants(system: &TransitionSystem) -> Vec<Term> {
    let mut roots: Vec<Term> = system.step_parts().collect();
    roots.extend(system.state.iter().filter_map(|variable| variable.initial));
    let cone = system.terms.cone(&roots).into_iter();
    cone.filter(|&term| system.terms.as_value(term).is_some())
        .collect()
}

/// The comparisons and Boolean variables in the terms that depend on the state alone.
pub fn atoms_of(system: &TransitionSystem, roots: &[Term]) -> Vec<Term> {
    let mut sizes: FxHashMap<Term, usize> = system
        .state
        .iter()
        .map(|variable| (variable.current, 1))
        .collect();
    let mut atoms = Vec::new();
    for term in system.terms.cone(roots) {
        if let Some(size) = size(&system.terms, term, &sizes) {
            sizes.insert(term, size);
            if size <= LARGEST_ATOM && is_atom(&system.terms, term) {
                atoms.push(term);
            }
        }
    }
    atoms
}

/// The number of nodes of a term as a tree, if it depends on the state alone. The variables of the state are known.
fn size(terms: &Terms, term: Term, sizes: &FxHashMap<Term, usize>) -> Option<usize> {
    if let Some(&known) = sizes.get(&term) {
        return Some(known);
    }
    if terms.is_symbol(term) {
        return None;
    }
    let mut total = 1usize;
    for operand in terms.node(term).operands() {
        total = total.saturating_add(*sizes.get(&operand)?);
    }
    Some(total)
}

fn is_atom(terms: &Terms, term: Term) -> bool {
    match terms.node(term) {
        Node::Symbol(_) => terms.sort(term) == Sort::Bool,
        Node::Binary(Binary::Equal, a, _) => terms.sort(a) != Sort::Bool,
        Node::Binary(operator, ..) => {
            matches!(operator, Binary::UnsignedLess | Binary::SignedLess)
        }
        Node::Constant(_)
        | Node::Unary(..)
        | Node::Ite(..)
        | Node::Extract { .. }
        | Node::ZeroExtend(..)
        | Node::SignExtend(..) => false,
    }
}
