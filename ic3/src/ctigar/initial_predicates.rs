//! The initial precision: the comparisons in the system.

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

use petgraph::unionfind::UnionFind;
use system::term::{Binary, Node, Sort, Term, Terms};
use system::transition_system::TransitionSystem;

use super::families::Families;
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

/// Activates comparisons of variables that get each other's values or are compared. What relates threads of any number to what is global
/// holds of each of them, and no comparison of the program may say it.
pub fn activate_relations(
    system: &mut TransitionSystem,
    step: &mut StepRelation,
    predicates: &mut Predicates,
    families: &Families,
) {
    let kinds = Kinds::new(system, &step.state);
    let variables = step.state.clone();
    for (position, &x) in variables.iter().enumerate() {
        for (other, &y) in variables.iter().enumerate().take(position) {
            if !kinds.are_equal(position, other) || !families.may_relate(position, other) {
                continue;
            }
            for relation in kinds.relations(&mut system.terms, (position, x), y) {
                let literal = predicates.intern(system, step, relation);
                predicates.activate(literal.predicate());
            }
        }
    }
}

/// State variables, those together that get each other's values or are compared.
struct Kinds {
    kinds: Vec<usize>,
    /// By kind: the constants that are added to its variables.
    added: FxHashMap<usize, BTreeSet<Term>>,
}

impl Kinds {
    fn new(system: &TransitionSystem, variables: &[Term]) -> Self {
        let positions: FxHashMap<Term, usize> = variables.iter().copied().zip(0..).collect();
        let next = system.state.iter();
        let next = next.filter_map(|variable| Some((variable.current, variable.next?)));
        let parts: Vec<Term> = system.step_parts().collect();
        let cone = system.terms.cone(&parts).into_iter();
        let compared = cone.filter_map(|term| {
            let Node::Binary(operator, a, b) = system.terms.node(term) else {
                return None;
            };
            let compares = [Binary::Equal, Binary::UnsignedLess, Binary::SignedLess];
            compares.contains(&operator).then_some((a, b))
        });
        let mut kinds = UnionFind::<usize>::new(variables.len());
        let mut changes = Vec::new();
        for (a, b) in next.chain(compared) {
            let (mut sources, mut added) = (Vec::new(), Vec::new());
            for term in [a, b] {
                find_sources(&system.terms, term, &mut sources, &mut added);
            }
            let mut sources = sources.iter().filter_map(|source| positions.get(source));
            if let Some(&first) = sources.next() {
                sources.for_each(|&other| {
                    kinds.union(first, other);
                });
                changes.push((first, added));
            }
        }
        let kinds = kinds.into_labeling();
        let mut added: FxHashMap<usize, BTreeSet<Term>> = FxHashMap::default();
        for (variable, constants) in changes {
            added.entry(kinds[variable]).or_default().extend(constants);
        }
        Self { kinds, added }
    }

    fn are_equal(&self, one: usize, other: usize) -> bool {
        self.kinds[one] == self.kinds[other]
    }

    /// Relations of two variables of a kind: numbers that grow are compared by their order, too.
    fn relations(&self, terms: &mut Terms, (position, x): (usize, Term), y: Term) -> Vec<Term> {
        if terms.sort(x) != terms.sort(y) || terms.width(x) == 1 {
            return Vec::new();
        }
        let mut relations = vec![terms.equal(x, y)];
        let added = self.added.get(&self.kinds[position]);
        for &constant in added.into_iter().flatten() {
            if terms.sort(constant) == terms.sort(x) {
                relations.extend([terms.unsigned_less(x, y), terms.unsigned_less(y, x)]);
                for (from, to) in [(x, y), (y, x)] {
                    let sum = terms.add(from, constant);
                    relations.push(terms.equal(sum, to));
                }
            }
        }
        relations
    }
}

/// The variables that a value may come from, chosen among others or changed by constants, and these constants.
fn find_sources(terms: &Terms, value: Term, sources: &mut Vec<Term>, added: &mut Vec<Term>) {
    let mut open = vec![value];
    let mut seen = FxHashSet::default();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.node(term) {
            Node::Symbol(_) => sources.push(term),
            Node::Ite(_, yes, no) => open.extend([yes, no]),
            Node::Binary(Binary::Add, a, b) => {
                for (constant, rest) in [(a, b), (b, a)] {
                    if terms.as_value(constant).is_some() {
                        added.push(constant);
                        open.push(rest);
                    }
                }
            }
            Node::Constant(_)
            | Node::Unary(..)
            | Node::Binary(..)
            | Node::Extract { .. }
            | Node::ZeroExtend(..)
            | Node::SignExtend(..) => {}
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
