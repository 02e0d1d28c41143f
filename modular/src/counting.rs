//! Variables that count threads, for proofs about any number of them.
//!
//! A variable *counts* threads if it is the number of all threads that are at certain places, as a number of readers is. That is proved for
//! any number of threads at once: it holds initially, and each move changes the variable as much as the number. In a proof about a few
//! threads that stand for all, it says that no more of these are there than the variable says.
//!
//! `choice` finds out which places are counted, with what `differences` knows of the variables of a thread.

mod choice;
mod differences;

use std::collections::BTreeSet;

use solver::Backend;
use system::budget::Budget;
use system::term::{Sort, Term, Terms};
use system::transition_system::TransitionSystem;

use self::choice::Search;
use self::differences::Differences;

/// In so many bits there is room for the number of all threads that run at a time.
const WIDTH: u32 = 32;

/// Wider variables are no flags.
const FLAG_WIDTH: u32 = 8;

/// The number of threads of a system fits into so many bits. A flag has as many more where it is compared with that number.
const SPARE: u32 = 8;

/// Threads that are at the same places: representatives of a family, or one other thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Where each of them is: a bit-vector variable of the state.
    pub places: Vec<Term>,
    /// How many numbers of places there are, from 0.
    pub numbers: u128,
    /// The place of threads that have returned.
    pub returned: Option<u128>,
    /// The variables that each of them has, if they stand for any number of others. Those at the same position correspond.
    pub variables: Option<Vec<Vec<Term>>>,
}

/// A variable that counts threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The variable: a bit vector.
    pub variable: Term,
    /// Whether it is 1 at most. All others have 32 bits at least, and do not count threads that have returned and stand for others:
    /// these are as many as one likes.
    pub is_flag: bool,
    /// The variables that say where threads are, with the numbers, in ascending order, at which they are counted.
    pub places: Vec<(Term, Vec<u128>)>,
}

impl Count {
    /// That no more threads are at the places than the variable says; a Boolean term over what is given for the variables.
    pub fn holds(&self, terms: &mut Terms, image: impl Fn(&mut Terms, Term) -> Term) -> Term {
        let value = self.value(terms, &image);
        let number = self.number(terms, &image);
        let fits = terms.unsigned_less_equal(number, value);
        let is_bounded = self.is_bounded(terms, value);
        terms.and(fits, is_bounded)
    }

    /// That the variable changes as the number of threads does; a Boolean term over the state before a step, given the next values.
    fn is_kept(&self, terms: &mut Terms, next: impl Fn(&mut Terms, Term) -> Term) -> Term {
        let same = |_: &mut Terms, term| term;
        let [before, after] = [self.value(terms, &same), self.value(terms, &next)];
        let [number, then] = [self.number(terms, &same), self.number(terms, &next)];
        let [one, other] = [(after, number), (before, then)].map(|(a, b)| terms.add(a, b));
        let same = terms.equal(one, other);
        let is_bounded = self.is_bounded(terms, after);
        terms.and(same, is_bounded)
    }

    /// The variable, with more bits if it is a flag.
    fn value(&self, terms: &mut Terms, image: impl Fn(&mut Terms, Term) -> Term) -> Term {
        let variable = image(terms, self.variable);
        match self.is_flag {
            true => terms.zero_extend(terms.width(variable) + SPARE, variable),
            false => variable,
        }
    }

    /// How many threads are at the places, in as many bits.
    fn number(&self, terms: &mut Terms, image: impl Fn(&mut Terms, Term) -> Term) -> Term {
        let width = terms.width(self.variable) + if self.is_flag { SPARE } else { 0 };
        let places = self.places.iter().map(|(place, numbers)| {
            let place = image(terms, *place);
            let equations: Vec<Term> = numbers
                .iter()
                .map(|&number| {
                    let number = terms.bits(terms.width(place), number);
                    terms.equal(place, number)
                })
                .collect();
            terms.or_all(equations)
        });
        let places: Vec<Term> = places.collect();
        how_many(terms, &places, width)
    }

    /// That a flag is 1 at most.
    fn is_bounded(&self, terms: &mut Terms, value: Term) -> Term {
        match self.is_flag {
            true => {
                let one = terms.bits(terms.width(value), 1);
                terms.unsigned_less_equal(value, one)
            }
            false => terms.bool(true),
        }
    }
}

/// How many of some conditions hold, in so many bits.
fn how_many(terms: &mut Terms, conditions: &[Term], width: u32) -> Term {
    let [zero, one] = [0, 1].map(|value| terms.bits(width, value));
    conditions.iter().fold(zero, |sum, &condition| {
        let counted = terms.ite(condition, one, zero);
        terms.add(sum, counted)
    })
}

/// Variables that count threads, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counting {
    /// The variables.
    pub counts: Vec<Count>,
    /// What it takes to prove that they count: Boolean terms over the state, each about one thread. All of them together hold initially, and
    /// are preserved by each step.
    pub facts: Vec<Term>,
}

/// The variables of a system that count threads of families, where `kinds` are all of its threads. Where the budget is exhausted, less is
/// known. Terms are added to the arena of the system; nothing else is changed.
pub fn counting(
    system: &mut TransitionSystem,
    kinds: &[Kind],
    (backend, budget): (Backend, &Budget),
) -> Counting {
    let mut terms = std::mem::take(&mut system.terms);
    let found = counting_with(system, kinds, &mut terms, (backend, budget));
    system.terms = terms;
    found
}

fn counting_with(
    system: &TransitionSystem,
    kinds: &[Kind],
    terms: &mut Terms,
    with: (Backend, &Budget),
) -> Counting {
    let places = kinds.iter().flat_map(|kind| &kind.places);
    let own = kinds.iter().flat_map(|kind| &kind.variables);
    let own = own.flatten().flatten();
    let others: BTreeSet<Term> = places.chain(own).copied().collect();
    let mut differences = Differences::new(system, kinds, terms, with);
    let mut needed = BTreeSet::new();
    let mut counts: Vec<Count> = Vec::new();
    for variable in &system.state {
        let width = match terms.sort(variable.current) {
            Sort::BitVec(width) if width <= FLAG_WIDTH || width >= WIDTH => width,
            Sort::BitVec(_) | Sort::Bool => continue,
        };
        let changes = variable.next.is_some_and(|next| next != variable.current);
        if !changes || others.contains(&variable.current) {
            continue;
        }
        let known = (differences.facts(), counts.as_slice());
        let search = Search::new(system, kinds, terms, variable, width <= FLAG_WIDTH);
        if let Some((count, facts)) = search.and_then(|search| search.find(known, with)) {
            counts.push(count);
            needed.extend(facts);
        }
    }
    match differences.close(terms, needed) {
        Some(facts) => Counting { counts, facts },
        None => Counting::default(),
    }
}
