//! Variables that threads only add to, such as counters and semaphores.
//!
//! What such a variable holds is what it held first, and all that was added before. The order of the reader and of those that add says
//! that: nothing needs to be known of the order in which they add, nor which of them was the last.

use std::collections::{BTreeMap, BTreeSet};

use encode::semantics::path::Variable;
use system::term::{Binary, Node, Term, Terms, Value, signed};

use crate::candidates::{Candidates, WriteId};
use crate::event::{EventId, Unwinding};
use crate::widths::needed;

/// A variable that threads only add to, once it has its first value.
#[derive(Clone, Debug)]
pub struct Sum {
    /// What writes the first value: before all that is added, and before all that is read.
    pub base: WriteId,
    /// What is added by whom.
    pub added: Vec<(WriteId, Term)>,
    /// How many bits every sum of some of that needs.
    pub width: u32,
    /// Whether each of that makes the sum greater, as a number with a sign.
    pub grows: bool,
}

/// Of two threads the order says everything; more of them add in many orders that make no difference.
const THREADS: usize = 3;

/// The variables that three threads and more add to.
pub fn sums(
    unwinding: &Unwinding,
    candidates: &Candidates,
    terms: &mut Terms,
) -> BTreeMap<Variable, Sum> {
    let mut found = BTreeMap::new();
    for (&variable, writes) in &candidates.writes {
        let threads = writes
            .iter()
            .map(|write| unwinding.events[write.event].instance);
        if threads.collect::<BTreeSet<_>>().len() > THREADS
            && matches!(variable, Variable::Cell(_))
            && let Some(sum) = sum(unwinding, candidates, terms, variable)
        {
            found.insert(variable, sum);
        }
    }
    found
}

fn sum(
    unwinding: &Unwinding,
    candidates: &Candidates,
    terms: &mut Terms,
    variable: Variable,
) -> Option<Sum> {
    let mut others = Vec::new();
    let mut added = Vec::new();
    for &write in &candidates.writes[&variable] {
        match addend(unwinding, terms, write) {
            Some(number) => added.push((write, number)),
            None => others.push(write),
        }
    }
    let base = match others[..] {
        [first] => first,
        [first, then] if first.event == EventId::FIRST => then,
        _ => return None,
    };
    let readers = unwinding
        .events
        .iter()
        .filter(|(_, event)| event.reads.iter().any(|read| read.variable == variable));
    let mut readers = readers.map(|(event, _)| event);
    let is_behind = |reader| {
        base.event == EventId::FIRST || candidates.is_certainly_before(unwinding, base, reader)
    };
    if !readers.all(is_behind) {
        return None;
    }
    let value = unwinding.write(base).value;
    let numbers = added.iter().map(|&(_, number)| number);
    let exact = exact_width(terms, value, numbers);
    let grows = exact.is_some() && added.iter().all(|&(_, number)| is_positive(terms, number));
    let width = exact.unwrap_or_else(|| terms.width(value));
    Some(Sum {
        base,
        added,
        width,
        grows,
    })
}

/// What a write adds to what its event has read.
fn addend(unwinding: &Unwinding, terms: &mut Terms, id: WriteId) -> Option<Term> {
    let write = unwinding.write(id);
    let read = unwinding.events[id.event].read(write.variable)?.value;
    let narrowed = unwinding.narrowed.get(&write.value);
    let value = narrowed.map_or(write.value, |narrowed| narrowed.value);
    let Node::Binary(operator, a, b) = terms.node(value) else {
        return None;
    };
    let number = match (operator, a == read, b == read) {
        (Binary::Add, true, _) => b,
        (Binary::Add, _, true) => a,
        (Binary::Subtract, true, _) => terms.negate(b),
        _ => return None,
    };
    (!terms.cone(&[number]).contains(&read)).then_some(number)
}

/// The sum of a number and of others where conditions hold, which needs so many bits.
pub fn total(terms: &mut Terms, width: u32, base: Term, added: &[(Term, Term)]) -> Term {
    let all = terms.width(base);
    let zero = terms.bits(width, 0);
    let mut open = vec![terms.extract(width - 1, 0, base)];
    for &(condition, number) in added {
        let number = terms.extract(width - 1, 0, number);
        open.push(terms.ite(condition, number, zero));
    }
    // A balanced tree is less deep than a chain.
    while open.len() > 1 {
        open = open
            .chunks(2)
            .map(|pair| match *pair {
                [a, b] => terms.add(a, b),
                _ => pair[0],
            })
            .collect();
    }
    terms.sign_extend(all, open[0])
}

/// How many bits every sum of some of these numbers needs, if they are constants and no more than their variable has.
fn exact_width(terms: &Terms, base: Term, added: impl IntoIterator<Item = Term>) -> Option<u32> {
    let number = |term| match terms.as_value(term)? {
        Value::BitVec(width, bits) => Some(signed(width, bits)),
        Value::Bool(_) => None,
    };
    let (mut least, mut most) = (number(base)?, number(base)?);
    for term in added {
        let number = number(term)?;
        least = least.checked_add(number.min(0))?;
        most = most.checked_add(number.max(0))?;
    }
    let bits = |number: i128| needed(Value::truncated(128, number.cast_unsigned()));
    Some(bits(least).max(bits(most))).filter(|&bits| bits <= terms.width(base))
}

/// Whether a term is a positive constant, as a number with a sign.
fn is_positive(terms: &Terms, term: Term) -> bool {
    match terms.as_value(term) {
        Some(Value::BitVec(width, bits)) => signed(width, bits) > 0,
        Some(Value::Bool(_)) | None => false,
    }
}

#[cfg(test)]
mod tests {
    use system::term::Sort;

    use super::*;

    #[test]
    fn sums_have_the_bits_that_they_need() {
        let mut terms = Terms::new();
        let (base, one) = (terms.bits(32, 5), terms.bits(32, 1));
        let minus = terms.bits(32, u128::from(u32::MAX));
        let width = |number, times| exact_width(&terms, base, vec![number; times]);
        assert_eq!(width(one, 0), Some(4));
        assert_eq!(width(one, 2), Some(4));
        assert_eq!(width(one, 3), Some(5));
        assert_eq!(width(minus, 13), Some(4));
        assert_eq!(width(minus, 14), Some(5));
        let unknown = terms.symbol("x", Sort::BitVec(32));
        assert_eq!(exact_width(&terms, base, [unknown]), None);
        let (least, most) = (terms.bits(8, 0), terms.bits(8, 127));
        assert_eq!(exact_width(&terms, least, [most]), Some(8));
        assert_eq!(exact_width(&terms, most, [most]), None);
    }

    #[test]
    fn what_counts_is_added() {
        let mut terms = Terms::new();
        let (base, one) = (terms.bits(32, 5), terms.bits(32, 1));
        let minus = terms.bits(32, u128::from(u32::MAX - 8));
        let (yes, no) = (terms.bool(true), terms.bool(false));
        let added = [(yes, one), (no, one), (yes, minus), (yes, one)];
        for width in [5, 32] {
            let total = total(&mut terms, width, base, &added);
            let minus_two = Value::truncated(32, u128::from(u32::MAX - 1));
            assert_eq!(terms.as_value(total), Some(minus_two));
        }
    }
}
