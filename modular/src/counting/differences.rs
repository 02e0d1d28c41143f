//! Variables of a thread that are equal at a place, or differ by 1: such as what a compare-and-swap expects and what it writes.

use std::collections::BTreeSet;

use solver::{Answer, Backend, Measured, Workload};
use system::budget::Budget;
use system::term::{Sort, Substitution, Term, Terms};
use system::transition_system::TransitionSystem;

use super::Kind;

/// With more differences than these, none is looked at.
const MOST: usize = 3_000;

/// Narrower variables are flags rather than numbers.
const NARROWEST: u32 = 8;

/// Differences that hold initially, and together are preserved by each step.
pub(super) struct Differences {
    /// Boolean terms over the state.
    facts: Vec<Term>,
    /// The same after a step.
    after: Vec<Term>,
    /// Knows what a step is.
    solver: Measured,
}

impl Differences {
    /// All that there are, or none if that takes too long.
    pub(super) fn new(
        system: &TransitionSystem,
        kinds: &[Kind],
        terms: &mut Terms,
        (backend, budget): (Backend, &Budget),
    ) -> Self {
        let facts = candidates(kinds, terms);
        let variables = system.state.iter();
        let next = variables.filter_map(|found| Some((found.current, found.next?)));
        let mut step = Substitution::new(next.collect());
        let after = facts.iter().map(|&fact| step.apply(terms, fact)).collect();
        let solver = || Measured::new(backend.solver(budget, Workload::Refinement));
        let mut found = Self {
            facts,
            after,
            solver: solver(),
        };
        let mut initially = solver();
        for fact in system.initial(terms) {
            initially.assert(terms, fact);
        }
        for fact in system.considered(system.guard) {
            found.solver.assert(terms, fact);
        }
        if found.hold_in(&mut initially, terms).is_none() || found.preserve(terms).is_none() {
            found.facts.clear();
            found.after.clear();
        }
        found
    }

    pub(super) fn facts(&self) -> &[Term] {
        &self.facts
    }

    /// Gives up what does not hold in all states that a solver knows.
    fn hold_in(&mut self, solver: &mut Measured, terms: &mut Terms) -> Option<()> {
        loop {
            let violated = not_all(terms, &self.facts);
            match solver.check("initial differences", terms, &[violated]) {
                Answer::Unsat(_) => return Some(()),
                Answer::Unknown(_) => return None,
                Answer::Sat(mut model) => {
                    let facts = self.facts.iter();
                    let hold: Vec<bool> = facts.map(|&fact| model.holds(terms, fact)).collect();
                    self.keep(&hold);
                }
            }
        }
    }

    /// Gives up what a step from states in which all hold does not preserve.
    fn preserve(&mut self, terms: &mut Terms) -> Option<()> {
        loop {
            let violated = not_all(terms, &self.after);
            let assumptions = [self.facts.as_slice(), &[violated]].concat();
            match self.solver.check("differences", terms, &assumptions) {
                Answer::Unsat(_) => return Some(()),
                Answer::Unknown(_) => return None,
                Answer::Sat(mut model) => {
                    let after = self.after.iter();
                    let hold: Vec<bool> = after.map(|&fact| model.holds(terms, fact)).collect();
                    self.keep(&hold);
                }
            }
        }
    }

    fn keep(&mut self, hold: &[bool]) {
        let kept = |facts: &[Term]| {
            let facts = facts.iter().zip(hold);
            facts
                .filter_map(|(&fact, &holds)| holds.then_some(fact))
                .collect()
        };
        (self.facts, self.after) = (kept(&self.facts), kept(&self.after));
    }

    /// Some facts, with those that it takes for them to be preserved; none if that is not found out.
    pub(super) fn close(&mut self, terms: &mut Terms, needed: BTreeSet<Term>) -> Option<Vec<Term>> {
        let mut closed = needed;
        loop {
            let facts = self.facts.iter().zip(&self.after);
            let after = facts.filter(|(fact, _)| closed.contains(fact));
            let after: Vec<Term> = after.map(|(_, &after)| after).collect();
            let violated = not_all(terms, &after);
            let assumptions = [self.facts.as_slice(), &[violated]].concat();
            let before = closed.len();
            match self.solver.check("differences", terms, &assumptions) {
                Answer::Unsat(core) => {
                    closed.extend(core.iter().filter(|&&fact| fact != violated));
                }
                Answer::Sat(_) | Answer::Unknown(_) => return None,
            }
            if closed.len() == before {
                return Some(closed.into_iter().collect());
            }
        }
    }
}

/// That not all of some terms hold.
fn not_all(terms: &mut Terms, all: &[Term]) -> Term {
    let violated: Vec<Term> = all.iter().map(|&fact| terms.not(fact)).collect();
    terms.or_all(violated)
}

/// For each place of threads that stand for others, and each two of their numbers: that the first one is as large as the second one, one
/// more or one less.
fn candidates(kinds: &[Kind], terms: &mut Terms) -> Vec<Term> {
    let mut facts = Vec::new();
    for kind in kinds {
        let members = kind.places.iter().zip(kind.variables.iter().flatten());
        for (&place, variables) in members {
            let numbers: Vec<Term> = variables
                .iter()
                .copied()
                .filter(|&variable| {
                    let sort = terms.sort(variable);
                    let is_number = matches!(sort, Sort::BitVec(width) if width >= NARROWEST);
                    is_number && variable != place
                })
                .collect();
            for (position, &one) in numbers.iter().enumerate() {
                for &other in &numbers[..position] {
                    if terms.sort(one) != terms.sort(other) {
                        continue;
                    }
                    let width = terms.width(one);
                    let unit = terms.bits(width, 1);
                    let [more, less] = [terms.add(other, unit), terms.subtract(other, unit)];
                    for number in 0..kind.numbers {
                        let number = terms.bits(terms.width(place), number);
                        let is_here = terms.equal(place, number);
                        for value in [other, more, less] {
                            let same = terms.equal(one, value);
                            facts.push(terms.implies(is_here, same));
                        }
                    }
                    if facts.len() > MOST {
                        return Vec::new();
                    }
                }
            }
        }
    }
    facts
}
