//! What predicates of threads may speak of, and which ones a refinement chooses among.

use rustc_hash::{FxHashMap, FxHashSet};
use system::term::{Binary, Node, Sort, Term, Terms, Unary, Value};

use crate::moves::{MoveId, Moves};
use crate::samples::sampled_values;
use crate::threads::ThreadedSystem;

/// After so many there are no more weakest preconditions for a thread.
const MOST_PRECONDITIONS: usize = 300;

/// Variables with more values in some runs are not compared with them.
const MOST_SAMPLES: usize = 8;

/// What a thread may know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// Global variables, its own, and what is shown of others: proofs over that are modular.
    Visible,
    /// All variables.
    All,
}

impl Scope {
    /// Both, the narrower one first.
    pub(crate) const BOTH: [Self; 2] = [Self::Visible, Self::All];
}

/// The terms over the state that a precision may track.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    /// What terms may be made of, by scope and thread.
    basis: [Vec<Basis>; 2],
    /// The places of all threads.
    places: Vec<Term>,
    /// Boolean terms of the program without connectives, and comparisons of variables with values that they get.
    atoms: Vec<Term>,
    /// Comparisons of variables with values that they have in some runs.
    sampled: Vec<Term>,
    /// Conditions under which moves lead to those, in the order in which they were found.
    preconditions: [Vec<Vec<Term>>; 2],
}

impl Vocabulary {
    pub(crate) fn new(threaded: &ThreadedSystem, terms: &mut Terms, moves: &Moves) -> Self {
        let threads = threaded.threads.len();
        let variables = threaded.system.state.iter();
        let variables: Vec<Term> = variables.map(|variable| variable.current).collect();
        let visible = (0..threads).map(|thread| Basis::new(threaded.visible(thread)));
        let all = (0..threads).map(|_| Basis::new(variables.clone()));
        let none = || vec![Vec::new(); threads];
        Self {
            basis: [visible.collect(), all.collect()],
            places: threaded
                .threads
                .iter()
                .filter_map(|thread| thread.place)
                .collect(),
            atoms: program_atoms(threaded, terms, moves),
            sampled: comparisons_with_samples(threaded, terms),
            preconditions: [none(), none()],
        }
    }

    /// Atoms that a thread may know, simple ones first.
    pub(crate) fn atoms(&mut self, terms: &Terms, scope: Scope, thread: usize) -> Vec<Term> {
        let basis = &mut self.basis[scope as usize][thread];
        // What is shown of other threads is worth knowing as it is.
        let shown = basis.terms.iter().copied();
        let shown = shown.filter(|&term| terms.sort(term) == Sort::Bool && !terms.is_symbol(term));
        let mut known: Vec<Term> = shown.collect();
        let atoms = self.atoms.iter().copied();
        known.extend(atoms.filter(|&atom| basis.contains(terms, atom)));
        let mut seen = FxHashSet::default();
        known
            .into_iter()
            .filter(|&term| seen.insert(term))
            .collect()
    }

    /// The places of other threads, if a thread may know them.
    pub(crate) fn places(&self, scope: Scope, thread: usize) -> Vec<Term> {
        let known = self.everything(scope, thread);
        let places = self.places.iter().copied();
        places.filter(|place| known.contains(place)).collect()
    }

    /// Comparisons of variables that a thread may know with values that they have in some runs, if these are few.
    pub(crate) fn sampled(&mut self, terms: &Terms, scope: Scope, thread: usize) -> Vec<Term> {
        let basis = &mut self.basis[scope as usize][thread];
        let sampled = self.sampled.iter().copied();
        sampled
            .filter(|&atom| basis.contains(terms, atom))
            .collect()
    }

    /// The preconditions found so far.
    pub(crate) fn preconditions(&self, scope: Scope, thread: usize) -> &[Term] {
        &self.preconditions[scope as usize][thread]
    }

    /// Looks for preconditions under these moves of all atoms and preconditions that a thread may know.
    pub(crate) fn precede(
        &mut self,
        terms: &mut Terms,
        moves: &mut Moves,
        scope: Scope,
        thread: usize,
        by: &[MoveId],
    ) {
        let atoms = self.atoms(terms, scope, thread);
        let known = &mut self.preconditions[scope as usize][thread];
        let targets: Vec<Term> = atoms.iter().chain(known.iter()).copied().collect();
        let mut seen: FxHashSet<Term> = targets.iter().copied().collect();
        let basis = &mut self.basis[scope as usize][thread];
        for target in targets {
            for &id in by {
                let before = moves.after(terms, id, target);
                if before == target {
                    continue;
                }
                for atom in atoms_of(terms, &[before]) {
                    if known.len() < MOST_PRECONDITIONS
                        && seen.insert(atom)
                        && basis.contains(terms, atom)
                    {
                        known.push(atom);
                    }
                }
            }
        }
    }

    /// What a thread may know in a scope, as it is: with all of it the abstraction is exact.
    pub(crate) fn everything(&self, scope: Scope, thread: usize) -> &[Term] {
        &self.basis[scope as usize][thread].terms
    }
}

/// Terms, and what can be told from them.
#[derive(Debug)]
struct Basis {
    terms: Vec<Term>,
    /// Whether the value of a term follows from theirs.
    follows: FxHashMap<Term, bool>,
}

impl Basis {
    fn new(basis: Vec<Term>) -> Self {
        Self {
            follows: basis.iter().map(|&term| (term, true)).collect(),
            terms: basis,
        }
    }

    fn contains(&mut self, terms: &Terms, root: Term) -> bool {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.follows.contains_key(&term) {
                open.pop();
                continue;
            }
            let before = open.len();
            let operands = || terms.node(term).operands();
            open.extend(operands().filter(|operand| !self.follows.contains_key(operand)));
            if open.len() == before {
                let follows =
                    !terms.is_symbol(term) && operands().all(|operand| self.follows[&operand]);
                self.follows.insert(term, follows);
                open.pop();
            }
        }
        self.follows[&root]
    }
}

/// Boolean terms without connectives that terms are made of.
fn atoms_of(terms: &Terms, roots: &[Term]) -> Vec<Term> {
    let cone = terms.cone(roots).into_iter();
    cone.filter(|&term| terms.sort(term) == Sort::Bool && !is_connective(terms, term))
        .collect()
}

fn is_connective(terms: &Terms, term: Term) -> bool {
    match terms.node(term) {
        Node::Constant(_) | Node::Unary(Unary::Not, _) | Node::Ite(..) => true,
        Node::Binary(Binary::And | Binary::Or, ..) => true,
        Node::Binary(Binary::Equal, a, _) => terms.sort(a) == Sort::Bool,
        Node::Symbol(_)
        | Node::Unary(..)
        | Node::Binary(..)
        | Node::Extract { .. }
        | Node::ZeroExtend(..)
        | Node::SignExtend(..) => false,
    }
}

fn program_atoms(threaded: &ThreadedSystem, terms: &mut Terms, moves: &Moves) -> Vec<Term> {
    let system = &threaded.system;
    let properties = system.properties.iter().map(|property| property.bad);
    let constraints = system.invariant_constraints.iter().copied();
    let roots: Vec<Term> = moves.parts().chain(properties).chain(constraints).collect();
    let mut atoms = atoms_of(terms, &roots);
    let values = moves.values();
    for (position, variable) in system.state.iter().enumerate() {
        let given = values.get(&position).into_iter().flatten().copied();
        let given: Vec<Term> = given.chain(variable.initial).collect();
        let mut leaves = Vec::new();
        for value in given {
            leaves_of(terms, value, &mut leaves);
        }
        for leaf in leaves {
            let atom = terms.equal(variable.current, leaf);
            atoms.extend(atoms_of(terms, &[atom]));
        }
    }
    let mut seen = FxHashSet::default();
    atoms.retain(|&atom| seen.insert(atom));
    atoms
}

fn comparisons_with_samples(threaded: &ThreadedSystem, terms: &mut Terms) -> Vec<Term> {
    let values = sampled_values(&threaded.system, terms);
    let variables = threaded.system.state.iter().zip(values);
    let few = variables.filter(|(_, values)| values.len() <= MOST_SAMPLES);
    let pairs: Vec<(Term, Value)> = few
        .flat_map(|(variable, values)| values.into_iter().map(|value| (variable.current, value)))
        .collect();
    let comparisons = pairs.into_iter().map(|(variable, value)| {
        let value = terms.constant(value);
        terms.equal(variable, value)
    });
    comparisons.collect()
}

/// The variables and constants that a choice of values chooses among.
fn leaves_of(terms: &Terms, value: Term, leaves: &mut Vec<Term>) {
    let mut open = vec![value];
    let mut seen = FxHashSet::default();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.node(term) {
            Node::Ite(_, yes, no) => open.extend([yes, no]),
            Node::Constant(_) | Node::Symbol(_) => leaves.push(term),
            Node::Unary(..)
            | Node::Binary(..)
            | Node::Extract { .. }
            | Node::ZeroExtend(..)
            | Node::SignExtend(..) => {}
        }
    }
}
