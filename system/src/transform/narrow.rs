//! State variables with few values, as the bits that tell those values apart.

use rustc_hash::FxHashMap;

use super::SystemReduction;
use super::bits::Bits;
use super::reduction::{Narrowed, replace};
use super::value_sets::value_sets;
use super::values::{Range, Values, value};
use crate::term::{Sort, Term, Terms};
use crate::transition_system::{StateVariable, TransitionSystem};

/// Replaces each state variable whose values differ in few bits by a narrower one, and each term that has but one value
/// in all reachable states by that value.
///
/// The narrower variable consists of bits of the other one, the *code*, of which the others are copies, or constant. A code
/// that no value has is not reached: it changes as the variable does, and the variable's values stay in their set.
pub fn narrow(mut system: TransitionSystem) -> (TransitionSystem, SystemReduction) {
    let sets = value_sets(&system);
    let larger = system.clone_without_terms();
    let terms = &mut system.terms;
    let variables = larger.state.iter().map(|variable| variable.current);
    let variables = variables.map(|variable| (variable, &sets[variable.index()]));
    let invariant = variables
        .clone()
        .map(|(variable, values)| membership(terms, variable, values))
        .collect();
    let codes: Vec<Option<(Bits, Narrowed)>> = variables
        .map(|(variable, values)| code(terms, variable, values))
        .collect();
    let mut images = known_terms(terms, &sets);
    let decoded = codes.iter().flatten();
    images.extend(decoded.map(|(_, narrowed)| (narrowed.variable, narrowed.decoded)));
    replace(&mut system, &images);
    let TransitionSystem { terms, state, .. } = &mut system;
    for (variable, code) in state.iter_mut().zip(&codes) {
        if let Some((bits, narrowed)) = code {
            encode(terms, variable, bits, narrowed.code);
        }
    }
    let has_image = |symbol: Term| images.contains_key(&symbol);
    let (system, reduction) =
        SystemReduction::restrict(system, larger, invariant, |symbol| !has_image(symbol));
    let narrowed = codes.into_iter().flatten().map(|(_, narrowed)| narrowed);
    let reduction = reduction.with_codes(narrowed.collect());
    (system, reduction.with_images(&images))
}

/// The code of a variable, if it is narrower.
fn code(terms: &mut Terms, variable: Term, values: &Values) -> Option<(Bits, Narrowed)> {
    let width = terms.width(variable);
    let bits = Bits::that_differ(width, values);
    if bits.kept() == 0 || bits.kept() == width {
        return None;
    }
    let name = terms.symbol_name(variable).unwrap_or_default().to_owned();
    let code = terms.symbol(name, Sort::BitVec(bits.kept()));
    let narrowed = Narrowed {
        variable,
        code,
        decoded: bits.decode(terms, code),
        encoded: bits.select(terms, variable),
    };
    Some((bits, narrowed))
}

/// Makes the code of a variable out of the variable.
fn encode(terms: &mut Terms, variable: &mut StateVariable, bits: &Bits, code: Term) {
    variable.current = code;
    let mut known = FxHashMap::default();
    for value in variable.initial.iter_mut().chain(&mut variable.next) {
        *value = bits.encode(terms, &mut known, *value);
    }
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

/// That a variable has one of some values.
fn membership(terms: &mut Terms, variable: Term, values: &Values) -> Term {
    let (sort, Some(range)) = (terms.sort(variable), values.range()) else {
        return terms.bool(false);
    };
    match values {
        Values::Few(values)
            if sort == Sort::Bool || range.last - range.first >= values.len() as u128 =>
        {
            let mut equalities = Vec::with_capacity(values.len());
            for &bits in values {
                let constant = terms.constant(value(sort, bits));
                equalities.push(terms.equal(variable, constant));
            }
            terms.or_all(equalities)
        }
        Values::Few(_) | Values::Range(_) => within(terms, variable, range),
    }
}

fn within(terms: &mut Terms, variable: Term, range: Range) -> Term {
    let width = terms.width(variable);
    let [first, last, zeros] =
        [range.first, range.last, !range.ones].map(|bits| terms.bits(width, bits));
    let (above, below) = (
        terms.unsigned_less_equal(first, variable),
        terms.unsigned_less_equal(variable, last),
    );
    let (others, none) = (terms.bit_and(variable, zeros), terms.bits(width, 0));
    let clear = terms.equal(others, none);
    terms.and_all([above, below, clear])
}
