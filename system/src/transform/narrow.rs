//! State variables with few values, as the bits that tell those values apart.

use rustc_hash::FxHashMap;

use super::Reduction;
use super::bits::Bits;
use super::reduction::{Narrowed, replace};
use super::value_sets::value_sets;
use super::values::{Values, value};
use crate::term::{Sort, Term, Terms};
use crate::transition_system::TransitionSystem;

/// Replaces each state variable whose values differ in few bits by a narrower one, and each term that has but one value
/// in all reachable states by that value.
///
/// The narrower variable consists of bits of the other one, the *code*, of which the others are copies, or constant. A code
/// that no value has is not reached: it changes as the variable does, and the variable's values stay in their set.
pub fn narrow(mut system: TransitionSystem) -> (TransitionSystem, Reduction) {
    let sets = value_sets(&system);
    let larger = system.clone_without_terms();
    let terms = &mut system.terms;
    let mut images = known_terms(terms, &sets);
    let mut invariant = Vec::new();
    let mut codes: Vec<(usize, Bits, Narrowed)> = Vec::new();
    for (position, variable) in system.state.iter().enumerate() {
        let current = variable.current;
        let values = &sets[current.index()];
        invariant.push(membership(terms, current, values));
        let bits = Bits::that_differ(terms.width(current), values);
        if (1..terms.width(current)).contains(&bits.kept()) {
            let narrowed = narrowed(terms, current, &bits);
            images.insert(current, narrowed.decoded);
            codes.push((position, bits, narrowed));
        }
    }
    replace(&mut system, &images);
    for (position, bits, narrowed) in &codes {
        let variable = &mut system.state[*position];
        variable.current = narrowed.code;
        let mut known = FxHashMap::default();
        for value in variable.initial.iter_mut().chain(&mut variable.next) {
            *value = bits.encode(&mut system.terms, &mut known, *value);
        }
    }
    let constant = |symbol: Term| images.contains_key(&symbol);
    let (system, reduction) =
        Reduction::restrict(system, larger, invariant, |symbol| !constant(symbol));
    (
        system,
        reduction.with_codes(codes.into_iter().map(|(_, _, narrowed)| narrowed).collect()),
    )
}

/// The terms that have but one value, each with that value.
fn known_terms(terms: &mut Terms, sets: &[Values]) -> FxHashMap<Term, Term> {
    let mut known = FxHashMap::default();
    for term in terms.all() {
        if let Some(bits) = sets.get(term.index()).and_then(Values::single)
            && terms.as_value(term).is_none()
        {
            let constant = terms.constant(value(terms.sort(term), bits));
            known.insert(term, constant);
        }
    }
    known
}

fn narrowed(terms: &mut Terms, variable: Term, bits: &Bits) -> Narrowed {
    let name = terms.symbol_name(variable).unwrap_or_default().to_owned();
    let code = terms.symbol(name, Sort::BitVec(bits.kept()));
    Narrowed {
        variable,
        code,
        decoded: bits.decode(terms, code),
        encoded: bits.select(terms, variable),
    }
}

/// That a variable has one of some values.
fn membership(terms: &mut Terms, variable: Term, values: &Values) -> Term {
    let sort = terms.sort(variable);
    match (values, values.ends()) {
        (_, None) => terms.bool(false),
        (Values::Few(values), Some((first, last)))
            if last - first >= values.len() as u128 || sort == Sort::Bool =>
        {
            let mut equalities = Vec::with_capacity(values.len());
            for &bits in values {
                let constant = terms.constant(value(sort, bits));
                equalities.push(terms.equal(variable, constant));
            }
            terms.or_all(equalities)
        }
        (_, Some((first, last))) => {
            let (first, last) = (
                terms.constant(value(sort, first)),
                terms.constant(value(sort, last)),
            );
            let above = terms.unsigned_less_equal(first, variable);
            let below = terms.unsigned_less_equal(variable, last);
            terms.and(above, below)
        }
    }
}
