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
        let here = |_: &mut Terms, term| term;
        let [before, after] = [self.value(terms, here), self.value(terms, &next)];
        let [number, then] = [self.number(terms, here), self.number(terms, &next)];
        let [one, other] = [(after, number), (before, then)].map(|(a, b)| terms.add(a, b));
        let same = terms.equal(one, other);
        let is_bounded = self.is_bounded(terms, after);
        terms.and(same, is_bounded)
    }

    /// The same, where threads at a number of some places are not counted.
    fn without(&self, places: &[Term], number: u128) -> Self {
        let mut count = self.clone();
        for (place, numbers) in &mut count.places {
            if places.contains(place) {
                numbers.retain(|&counted| counted != number);
            }
        }
        count.places.retain(|(_, numbers)| !numbers.is_empty());
        count
    }

    /// Whether threads are counted that stand for others.
    fn is_about_families(&self, kinds: &[Kind]) -> bool {
        let families = kinds.iter().filter(|kind| kind.variables.is_some());
        let mut places = families.flat_map(|kind| &kind.places);
        places.any(|place| self.places.iter().any(|(counted, _)| counted == place))
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

#[cfg(test)]
mod tests {
    use system::term::Value;
    use system::transition_system::StateVariable;

    use super::*;
    use Change::{Add, Set};

    /// Where a thread goes from and to, what a counter has to be for that if it matters, and what becomes of it.
    type Move = (u128, u128, Option<u128>, Change);

    #[derive(Clone, Copy)]
    enum Change {
        Add(i128),
        Set(u128),
    }

    /// Two threads that stand for any number and make moves, and a third one that makes others, with a counter of so many bits.
    fn system(width: u32, initial: u128, moves: &[Move], of_main: &[Move]) -> TransitionSystem {
        let mut terms = Terms::new();
        let counter = terms.symbol("counter", Sort::BitVec(width));
        let places = ["one", "other", "main"].map(|name| terms.symbol(name, Sort::BitVec(3)));
        let input = terms.symbol("input", Sort::BitVec(8));
        let mut next = [places[0], places[1], places[2], counter];
        let mut guard = terms.bool(false);
        let mut number = 0;
        for (thread, moves) in [moves, moves, of_main].into_iter().enumerate() {
            for &(from, to, needed, change) in moves {
                let [from, to] = [from, to].map(|place| terms.bits(3, place));
                let (is_here, chosen) = (terms.equal(places[thread], from), terms.bits(8, number));
                let is_chosen = terms.equal(input, chosen);
                let needed = needed.map(|needed| terms.bits(width, needed));
                let is_possible = needed.map(|needed| terms.equal(counter, needed));
                let moves = terms.and_all([is_here, is_chosen].into_iter().chain(is_possible));
                let value = match change {
                    Change::Set(value) => terms.bits(width, value),
                    Change::Add(value) => {
                        let value = terms.constant(Value::truncated(width, value as u128));
                        terms.add(counter, value)
                    }
                };
                next[thread] = terms.ite(moves, to, next[thread]);
                next[3] = terms.ite(moves, value, next[3]);
                guard = terms.or(guard, moves);
                number += 1;
            }
        }
        let [zero, initial] =
            [(3, 0), (width, initial)].map(|(width, value)| terms.bits(width, value));
        let variables = [places[0], places[1], places[2], counter]
            .into_iter()
            .zip(next);
        let state = variables.map(|(current, next)| StateVariable {
            current,
            initial: Some(if current == counter { initial } else { zero }),
            next: Some(next),
        });
        TransitionSystem {
            state: state.collect(),
            terms,
            inputs: vec![input],
            initial_constraints: Vec::new(),
            guard,
            invariant_constraints: Vec::new(),
            properties: Vec::new(),
        }
    }

    /// The numbers of places at which a thread that stands for others, and the third one, are counted; if the counter counts.
    fn counted(mut system: TransitionSystem, returned: Option<u128>) -> Option<[Vec<u128>; 2]> {
        let places: Vec<Term> = system
            .state
            .iter()
            .map(|variable| variable.current)
            .collect();
        let kinds = [
            Kind {
                places: places[..2].to_vec(),
                numbers: 5,
                returned,
                variables: Some(vec![vec![places[0]], vec![places[1]]]),
            },
            Kind {
                places: vec![places[2]],
                numbers: 3,
                returned: None,
                variables: None,
            },
        ];
        let found = counting(
            &mut system,
            &kinds,
            (Backend::default(), &Budget::unlimited()),
        );
        let count = found.counts.first()?;
        assert_eq!(count.variable, places[3]);
        let at = |place: Term| {
            let mut places = count.places.iter();
            let found = places.find(|(counted, _)| *counted == place);
            found
                .map(|(_, numbers)| numbers.clone())
                .unwrap_or_default()
        };
        assert_eq!(at(places[0]), at(places[1]));
        Some([at(places[0]), at(places[2])])
    }

    #[test]
    fn who_is_inside_is_counted() {
        let moves = |enters, leaves| {
            [
                (0, 1, None, Add(0)),
                (1, 2, None, enters),
                (2, 3, None, leaves),
            ]
        };
        let count = |enters, leaves| counted(system(32, 0, &moves(enters, leaves), &[]), Some(3));
        assert_eq!(count(Add(1), Add(-1)), Some([vec![2], vec![]]));
        assert_eq!(count(Add(2), Add(-2)), None);
        assert_eq!(count(Add(1), Add(-2)), None);
        assert_eq!(count(Add(1), Set(0)), None);
        assert_eq!(count(Add(-1), Add(1)), None);
        // A way around: two ways to a place do not count the same.
        let around = [&moves(Add(1), Add(-1))[..], &[(1, 2, None, Add(0))]].concat();
        assert_eq!(counted(system(32, 0, &around, &[]), Some(3)), None);
    }

    #[test]
    fn who_has_returned_is_not_counted() {
        let moves = [
            (0, 1, None, Add(0)),
            (1, 2, None, Add(1)),
            (2, 3, None, Add(0)),
        ];
        let count = |returned| counted(system(32, 0, &moves, &[]), returned);
        assert_eq!(count(None), Some([vec![2, 3], vec![]]));
        assert_eq!(count(Some(3)), None);
    }

    #[test]
    fn a_flag_is_one_thread_at_most() {
        let moves = |needed| {
            [
                (0, 1, None, Add(0)),
                (1, 2, needed, Set(1)),
                (2, 3, None, Set(0)),
            ]
        };
        let count = |needed| counted(system(8, 0, &moves(needed), &[]), Some(3));
        assert_eq!(count(Some(0)), Some([vec![2], vec![]]));
        assert_eq!(count(None), None);
        assert_eq!(count(Some(1)), None);
        // Whoever waits for it may have it for good.
        let kept = [(0, 1, None, Add(0)), (1, 2, Some(0), Set(1))];
        assert_eq!(
            counted(system(8, 0, &kept, &[]), Some(2)),
            Some([vec![2], vec![]])
        );
    }

    #[test]
    fn other_threads_are_counted_from_the_start() {
        let moves = [
            (0, 1, None, Add(0)),
            (1, 2, None, Add(1)),
            (2, 3, None, Add(-1)),
        ];
        let count =
            |initial, of_main: &[Move]| counted(system(32, initial, &moves, of_main), Some(3));
        let leaves = [(0, 1, None, Add(-1))];
        assert_eq!(count(1, &leaves), Some([vec![2], vec![0]]));
        assert_eq!(count(0, &leaves), None);
        assert_eq!(count(2, &[]), None);
        assert_eq!(count(1, &[(0, 1, None, Set(7))]), None);
    }
}
