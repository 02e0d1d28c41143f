//! What predicates of threads may speak of, and which ones a refinement chooses among.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use system::term::{Binary, Node, Sort, Term, Terms, Unary, Value};

use crate::liveness::View;
use crate::moves::{MoveId, Moves};
use crate::threads::ThreadedSystem;

/// Variables with more values in some runs are not compared with them.
const MOST_SAMPLES: usize = 8;

/// What a thread may know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// Global variables, its own, and what is shown of others: proofs over that are modular.
    Visible,
    /// All variables, but those of threads that stand for any number of others.
    All,
}

impl Scope {
    /// Both, the narrower one first.
    pub(crate) const BOTH: [Self; 2] = [Self::Visible, Self::All];
}

/// The terms over the state that a precision may track.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    /// By scope and thread: what the thread may know.
    known: [Vec<Vec<Term>>; 2],
    /// By variables: the views of them.
    views: FxHashMap<Term, Vec<Term>>,
    /// By views: the variables.
    viewed: FxHashMap<Term, Term>,
    /// The places of all threads.
    places: Vec<Term>,
    /// Boolean terms of the program without connectives, and comparisons of variables with values that they get.
    atoms: Vec<Term>,
    /// Comparisons of variables with values that they have in some runs.
    sampled: Vec<Term>,
}

/// A source of terms to track, simple ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// Where threads are, as it is.
    Places,
    /// The program.
    Atoms,
    /// Comparisons with values that variables have in some runs, if these are few.
    Samples,
}

impl Vocabulary {
    /// With the values that the variables have in random runs, by position.
    pub(crate) fn new(
        threaded: &ThreadedSystem,
        terms: &mut Terms,
        moves: &Moves,
        (views, sampled): (&[View], &[BTreeSet<Value>]),
    ) -> Self {
        let threads = 0..threaded.threads.len();
        let visible = threads.clone().map(|thread| threaded.visible(thread));
        let known = threads.map(|thread| {
            let variables = threaded.knowable(thread);
            let variables = variables.map(|position| threaded.system.state[position].current);
            variables.collect()
        });
        let threads = threaded.threads.iter();
        let variable = |view: &View| threaded.system.state[view.variable].current;
        let mut by_variable: FxHashMap<Term, Vec<Term>> = FxHashMap::default();
        for view in views {
            let views = by_variable.entry(variable(view)).or_default();
            views.push(view.term);
        }
        let viewed = views.iter().map(|view| (view.term, variable(view)));
        Self {
            views: by_variable,
            viewed: viewed.collect(),
            known: [visible.collect(), known.collect()],
            places: threads.filter_map(|thread| thread.place).collect(),
            atoms: program_atoms(threaded, terms, moves),
            sampled: comparisons_with_samples(threaded, terms, sampled),
        }
    }

    /// What a thread may know in a scope, as it is: with all of it the abstraction is exact.
    pub(crate) fn known(&self, scope: Scope, thread: usize) -> &[Term] {
        &self.known[scope as usize][thread]
    }

    /// The same with variables where they are live, before the variables themselves.
    pub(crate) fn known_where_live(&self, scope: Scope, thread: usize) -> Vec<Term> {
        let known = self.known(scope, thread);
        let mut found = Vec::with_capacity(known.len());
        let mut viewed = Vec::new();
        for &term in known {
            match self.views.get(&term) {
                Some(views) => {
                    found.extend(views);
                    viewed.push(term);
                }
                None => found.push(term),
            }
        }
        found.extend(viewed);
        found
    }

    /// The variable that a term is a view of, or the term.
    pub(crate) fn viewed(&self, term: Term) -> Term {
        self.viewed.get(&term).copied().unwrap_or(term)
    }

    /// The terms of a source that follow from a basis.
    pub(crate) fn candidates(&self, terms: &Terms, source: Source, basis: &mut Basis) -> Vec<Term> {
        // What is shown of other threads is worth knowing as it is.
        let shown = basis.terms.iter().copied();
        let shown = shown.filter(|&term| terms.sort(term) == Sort::Bool && !terms.is_symbol(term));
        let (mut found, more) = match source {
            Source::Places => (Vec::new(), &self.places),
            Source::Atoms => (shown.collect(), &self.atoms),
            Source::Samples => (Vec::new(), &self.sampled),
        };
        let more = more.iter().copied();
        found.extend(more.filter(|&term| basis.contains(terms, term)));
        found
    }
}

/// Boolean terms without connectives that follow from a basis, such that some of these terms hold after moves if they do.
pub(crate) fn preconditions(
    terms: &mut Terms,
    moves: &mut Moves,
    by: &[MoveId],
    targets: &[Term],
    basis: &mut Basis,
) -> Vec<Term> {
    let mut seen: FxHashSet<Term> = targets.iter().copied().collect();
    let mut found = Vec::new();
    for &target in targets {
        for &id in by {
            let before = moves.after(terms, id, target);
            if before == target {
                continue;
            }
            for atom in atoms_of(terms, &[before]) {
                if seen.insert(atom) && basis.contains(terms, atom) {
                    found.push(atom);
                }
            }
        }
    }
    found
}

/// Terms, and what can be told from them.
#[derive(Debug)]
pub(crate) struct Basis {
    terms: Vec<Term>,
    /// Whether the value of a term follows from theirs.
    follows: FxHashMap<Term, bool>,
}

impl Basis {
    pub(crate) fn new(basis: Vec<Term>) -> Self {
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

fn comparisons_with_samples(
    threaded: &ThreadedSystem,
    terms: &mut Terms,
    values: &[BTreeSet<Value>],
) -> Vec<Term> {
    let variables = threaded.system.state.iter().zip(values);
    let few = variables.filter(|(_, values)| values.len() <= MOST_SAMPLES);
    let pairs: Vec<(Term, Value)> = few
        .flat_map(|(variable, values)| values.iter().map(|&value| (variable.current, value)))
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
