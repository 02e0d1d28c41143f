//! Variables that count threads, for proofs about any number of them.
//!
//! A variable *counts* threads if it is more by the number of all threads that are at certain places, as a number of readers is, or less by
//! it, as the value of a semaphore; more or less than what it would be without them, which depends on where other threads are. That is
//! proved for any number of threads at once: it holds initially, and each move changes the variable as much as the number. In a proof
//! about a few threads that stand for all, it says that no more of these are there than the variable says.
//!
//! `choice` finds out which places are counted, with what `differences` knows of the variables of a thread.

mod choice;
mod differences;

use std::collections::{BTreeMap, BTreeSet};

use solver::Backend;
use system::budget::Budget;
use system::term::{Sort, Term, Terms, Value, all_ones};
use system::transition_system::TransitionSystem;

use self::choice::Search;
use self::differences::Differences;

/// More threads than these do not run at a time.
const MOST_THREADS: u128 = (1 << 31) - 1;

/// In so many bits there is room for their number.
const WIDTH: u32 = 32;

/// In so many bits there is room for the number of threads of a system. What is narrower is not looked at.
const NARROWEST: u32 = 8;

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
    /// Whether it is less by the number of threads, instead of more.
    pub counts_down: bool,
    /// Whether the number is 1 at most. All others have 32 bits at least, and do not count threads that have returned: these are as many
    /// as one likes.
    pub is_flag: bool,
    /// What it is initially, when no thread is counted.
    pub from: u128,
    /// The variables that say where threads are that stand for others, with the numbers, in ascending order, at which they are counted.
    pub places: Vec<(Term, Vec<u128>)>,
    /// The places of other threads, with the numbers at which the variable is more, for each by how much, modulo its width.
    pub beside: Vec<(Term, Vec<(u128, u128)>)>,
}

impl Count {
    /// What engines are told: that no more threads are at the places than the variable says. Where it is small without threads, less is said
    /// of its largest values than is known; proofs are found sooner then. A Boolean term over what is given for the variables.
    pub fn bound(&self, terms: &mut Terms, image: impl Fn(&mut Terms, Term) -> Term) -> Term {
        let width = terms.width(self.variable);
        let others = self.beside.iter().flat_map(|(_, numbers)| numbers);
        let sums = others.map(|&(_, more)| self.from.wrapping_add(more) & all_ones(width));
        let are_small = sums.chain([self.from]).all(|sum| sum <= MOST_THREADS / 2);
        if self.is_flag || self.beside.len() > 1 || !are_small {
            return self.holds(terms, image);
        }
        let (variable, base) = (image(terms, self.variable), self.base(terms, &image));
        let fits = match self.counts_down {
            true => terms.signed_less_equal(variable, base),
            false => terms.unsigned_less_equal(base, variable),
        };
        let number = self.number(terms, &image);
        let value = said(terms, (variable, base), self.counts_down);
        let has_room = terms.unsigned_less_equal(number, value);
        terms.and(fits, has_room)
    }

    /// That no more threads are at the places than the variable says; a Boolean term over what is given for the variables.
    fn holds(&self, terms: &mut Terms, image: impl Fn(&mut Terms, Term) -> Term) -> Term {
        let value = self.value(terms, &image);
        let number = self.number(terms, &image);
        let fits = terms.unsigned_less_equal(number, value);
        let most = terms.bits(terms.width(value), self.most());
        let is_bounded = terms.unsigned_less_equal(value, most);
        terms.and(fits, is_bounded)
    }

    /// That the variable changes as the number of threads does; a Boolean term over the state before a step, given the next values.
    fn is_kept(&self, terms: &mut Terms, next: impl Fn(&mut Terms, Term) -> Term) -> Term {
        let here = |_: &mut Terms, term| term;
        let [before, after] = [self.value(terms, here), self.value(terms, &next)];
        let [number, then] = [self.number(terms, here), self.number(terms, &next)];
        let [one, other] = [(after, number), (before, then)].map(|(a, b)| terms.add(a, b));
        let same = terms.equal(one, other);
        if !self.is_flag {
            return same;
        }
        let unit = terms.bits(terms.width(after), 1);
        let is_bounded = terms.unsigned_less_equal(after, unit);
        terms.and(same, is_bounded)
    }

    /// The same, where threads at a number of some places make no difference.
    fn without(&self, places: &[Term], number: u128) -> Self {
        let mut count = self.clone();
        for (place, numbers) in &mut count.places {
            if places.contains(place) {
                numbers.retain(|&counted| counted != number);
            }
        }
        for (place, numbers) in &mut count.beside {
            if places.contains(place) {
                numbers.retain(|&(known, _)| known != number);
            }
        }
        count.places.retain(|(_, numbers)| !numbers.is_empty());
        count.beside.retain(|(_, numbers)| !numbers.is_empty());
        count
    }

    /// The number of threads that the variable says.
    fn value(&self, terms: &mut Terms, image: impl Fn(&mut Terms, Term) -> Term) -> Term {
        let (variable, base) = (image(terms, self.variable), self.base(terms, &image));
        said(terms, (variable, base), self.counts_down)
    }

    /// What the variable is without threads that are counted.
    fn base(&self, terms: &mut Terms, image: impl Fn(&mut Terms, Term) -> Term) -> Term {
        let width = terms.width(self.variable);
        // A single choice of constants where one thread makes a difference.
        let (mut base, mut from) = (terms.bits(width, self.from), self.from);
        for (position, (place, numbers)) in self.beside.iter().enumerate() {
            let place = image(terms, *place);
            let mut by_more: BTreeMap<u128, Vec<u128>> = BTreeMap::new();
            for &(number, more) in numbers {
                by_more.entry(more).or_default().push(number);
            }
            let mut there = terms.bits(width, from);
            for (more, numbers) in by_more {
                let is_there = is_at(terms, place, &numbers);
                let more = terms.constant(Value::truncated(width, from.wrapping_add(more)));
                there = terms.ite(is_there, more, there);
            }
            base = match position {
                0 => there,
                _ => terms.add(base, there),
            };
            from = 0;
        }
        base
    }

    /// How many threads are at the places, in as many bits.
    fn number(&self, terms: &mut Terms, image: impl Fn(&mut Terms, Term) -> Term) -> Term {
        let width = terms.width(self.variable);
        let places = self.places.iter().map(|(place, numbers)| {
            let place = image(terms, *place);
            is_at(terms, place, numbers)
        });
        let places: Vec<Term> = places.collect();
        how_many(terms, &places, width)
    }

    /// How many threads there are at most, whatever they do.
    fn most(&self) -> u128 {
        if self.is_flag { 1 } else { MOST_THREADS }
    }
}

/// The number of threads that a variable says, given what it is without any.
fn said(terms: &mut Terms, (variable, base): (Term, Term), counts_down: bool) -> Term {
    match counts_down {
        true => terms.subtract(base, variable),
        false => terms.subtract(variable, base),
    }
}

/// That a place has one of some numbers.
fn is_at(terms: &mut Terms, place: Term, numbers: &[u128]) -> Term {
    let numbers = numbers.iter();
    let equations: Vec<Term> = numbers
        .map(|&number| {
            let number = terms.bits(terms.width(place), number);
            terms.equal(place, number)
        })
        .collect();
    terms.or_all(equations)
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
        let is_wide = match terms.sort(variable.current) {
            Sort::BitVec(width) => width >= NARROWEST,
            Sort::Bool => false,
        };
        let changes = variable.next.is_some_and(|next| next != variable.current);
        if !is_wide || !changes || others.contains(&variable.current) {
            continue;
        }
        let known = (differences.facts(), counts.as_slice());
        let found = [false, true].into_iter().find_map(|counts_down| {
            let search = Search::new(system, kinds, terms, variable, counts_down)?;
            search.find(known, with)
        });
        if let Some((count, facts)) = found {
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
    use solver::{Answer, Workload};
    use system::term::signed;
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

    /// The numbers of places at which a thread that stands for others is counted, and the difference that the third one makes; if the
    /// counter counts.
    fn counted(mut system: TransitionSystem, returned: Option<u128>) -> Option<Found> {
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
            found.map(|(_, numbers)| numbers.clone())
        };
        assert_eq!(at(places[0]), at(places[1]));
        assert_eq!(count.places.len(), 2);
        let width = system.terms.width(count.variable);
        let others = count.beside.iter().flat_map(|(_, numbers)| numbers);
        let others = others.map(|&(number, more)| (number, signed(width, more)));
        Some((count.counts_down, at(places[0])?, others.collect()))
    }

    /// Whether it counts down, where, and what else makes a difference.
    type Found = (bool, Vec<u128>, Vec<(u128, i128)>);

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
        assert_eq!(count(Add(1), Add(-1)), Some((false, vec![2], vec![])));
        assert_eq!(count(Add(2), Add(-2)), None);
        assert_eq!(count(Add(1), Add(-2)), None);
        assert_eq!(count(Add(1), Set(0)), None);
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
        assert_eq!(count(None), Some((false, vec![2, 3], vec![])));
        assert_eq!(count(Some(3)), None);
    }

    #[test]
    fn a_semaphore_counts_down() {
        let moves = |enters, leaves| {
            [
                (0, 1, None, Add(0)),
                (1, 2, None, enters),
                (2, 3, None, leaves),
            ]
        };
        let count = |width, initial, enters, leaves| {
            let moves = moves(enters, leaves);
            counted(system(width, initial, &moves, &[]), Some(3))
        };
        let inside = Some((true, vec![2], vec![]));
        assert_eq!(count(32, 3, Add(-1), Add(1)), inside);
        assert_eq!(count(32, 300, Add(-1), Add(1)), inside);
        assert_eq!(count(32, 3, Add(-2), Add(2)), None);
        assert_eq!(count(8, 3, Add(-1), Add(1)), None);
        // Taken only if it is there, it is a flag.
        let taken = |needed| {
            [
                (0, 1, None, Add(0)),
                (1, 2, needed, Set(0)),
                (2, 3, None, Set(1)),
            ]
        };
        let count = |needed| counted(system(8, 1, &taken(needed), &[]), Some(3));
        assert_eq!(count(Some(1)), inside);
        assert_eq!(count(None), None);
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
        assert_eq!(count(Some(0)), Some((false, vec![2], vec![])));
        assert_eq!(count(None), None);
        // Whoever waits for it may have it for good.
        let kept = [(0, 1, None, Add(0)), (1, 2, Some(0), Set(1))];
        assert_eq!(
            counted(system(8, 0, &kept, &[]), Some(2)),
            Some((false, vec![2], vec![]))
        );
    }

    #[test]
    fn other_threads_make_a_difference() {
        let moves = [
            (0, 1, None, Add(0)),
            (1, 2, None, Add(1)),
            (2, 3, None, Add(-1)),
        ];
        let count =
            |initial, of_main: &[Move]| counted(system(32, initial, &moves, of_main), Some(3));
        let found = |others| Some((false, vec![2], others));
        assert_eq!(count(1, &[(0, 1, None, Add(-1))]), found(vec![(1, -1)]));
        assert_eq!(count(2, &[]), found(vec![]));
        let twice = [(0, 1, None, Add(5)), (1, 2, None, Add(0))];
        assert_eq!(count(0, &twice), found(vec![(1, 5), (2, 5)]));
        // It may do that as often as it likes, or to any number.
        assert_eq!(count(1, &[(0, 0, None, Add(1))]), None);
        assert_eq!(count(1, &[(0, 1, None, Set(7))]), None);
        // What it sets before others come is known.
        assert_eq!(count(0, &[(0, 1, Some(0), Set(7))]), found(vec![(1, 7)]));
    }

    #[test]
    fn engines_are_told_nothing_that_is_not_known() {
        let mut terms = Terms::new();
        let places = ["one", "other", "main"].map(|name| terms.symbol(name, Sort::BitVec(3)));
        for (width, is_flag) in [(32, false), (64, false), (8, true)] {
            let variable = terms.symbol("variable", Sort::BitVec(width));
            for from in [0, 1, 200, 1 << 29, 1 << 30, 1 << 31, u128::from(u32::MAX)] {
                for (counts_down, more) in [(false, 0), (false, 1), (true, 0), (true, 1)] {
                    let count = Count {
                        variable,
                        counts_down,
                        is_flag,
                        from: from & all_ones(width),
                        places: places[..2].iter().map(|&at| (at, vec![1, 2])).collect(),
                        beside: match more {
                            0 => vec![],
                            _ => vec![(places[2], vec![(1, all_ones(width)), (2, 7)])],
                        },
                    };
                    let known = count.holds(&mut terms, |_, term| term);
                    let told = count.bound(&mut terms, |_, term| term);
                    let lie = terms.not(told);
                    let mut solver = Backend::Z3.solver(&Budget::unlimited(), Workload::Refinement);
                    solver.assert(&terms, known);
                    assert!(
                        matches!(solver.check(&terms, &[]), Answer::Sat(_)),
                        "{count:?}"
                    );
                    let answer = solver.check(&terms, &[lie]);
                    assert!(matches!(answer, Answer::Unsat(_)), "{count:?}: {answer:?}");
                }
            }
        }
    }
}
