//! Finds the variables that a formula defines.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::term::{Binary, Node, Sort, Term, Terms, Unary, Value};

/// A formula as definitions of variables and what else it says.
#[derive(Clone, Debug, Default)]
pub struct Solved {
    /// The terms that variables equal; none of the variables occurs in them.
    pub values: FxHashMap<Term, Term>,
    /// The other conjuncts.
    pub rest: Vec<Term>,
}

/// Splits a formula: each of `variables` that it equates with a term without `variables` gets that term as its value.
pub fn solve(terms: &mut Terms, formula: Term, variables: &FxHashSet<Term>) -> Solved {
    let mut solved = Solved::default();
    for conjunct in conjuncts(terms, formula) {
        let definition = definition(terms, conjunct, variables);
        match definition {
            Some((variable, value)) if !solved.values.contains_key(&variable) => {
                solved.values.insert(variable, value);
            }
            Some(_) | None => solved.rest.push(conjunct),
        }
    }
    solved
}

/// The conjuncts of a formula, in no particular but a fixed order.
fn conjuncts(terms: &mut Terms, formula: Term) -> Vec<Term> {
    let (mut open, mut found) = (vec![formula], Vec::new());
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Node::Binary(Binary::And, a, b) = terms.node(term) {
            open.extend([b, a]);
        } else if let Some((a, b)) = negated_disjunction(terms, term) {
            let (a, b) = (terms.not(a), terms.not(b));
            open.extend([b, a]);
        } else if terms.as_value(term) != Some(Value::Bool(true)) {
            found.push(term);
        }
    }
    found
}

fn negated_disjunction(terms: &Terms, term: Term) -> Option<(Term, Term)> {
    if let Node::Unary(Unary::Not, inner) = terms.node(term)
        && let Node::Binary(Binary::Or, a, b) = terms.node(inner)
    {
        return Some((a, b));
    }
    None
}

/// The variable and the term that a conjunct equates.
fn definition(
    terms: &mut Terms,
    conjunct: Term,
    variables: &FxHashSet<Term>,
) -> Option<(Term, Term)> {
    let (positive, atom) = if let Node::Unary(Unary::Not, atom) = terms.node(conjunct) {
        (false, atom)
    } else {
        (true, conjunct)
    };
    if variables.contains(&atom) {
        return Some((atom, terms.bool(positive)));
    }
    let Node::Binary(Binary::Equal, a, b) = terms.node(atom) else {
        return None;
    };
    let (variable, value) = if variables.contains(&a) {
        (a, b)
    } else {
        (b, a)
    };
    let mentioned = terms
        .cone(&[value])
        .iter()
        .any(|term| variables.contains(term));
    if !variables.contains(&variable) || mentioned {
        return None;
    }
    match (positive, terms.sort(variable)) {
        (true, _) => Some((variable, value)),
        (false, Sort::Bool) => Some((variable, terms.not(value))),
        (false, Sort::BitVec(1)) => Some((variable, terms.bit_not(value))),
        (false, Sort::BitVec(_)) => None,
    }
}
