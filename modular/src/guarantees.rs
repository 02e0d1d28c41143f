//! What each thread guarantees, and so what the others may rely on.

use solver::{Answer, Backend, Measured, Workload};
use system::budget::Budget;
use system::term::Term;

use crate::threads::{Move, ThreadedSystem};

/// What the moves of a thread do with a condition, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guarantee {
    /// Where the condition holds, it holds after each move.
    pub keeps_it: bool,
    /// Where it does not hold, it does not hold after any move.
    pub keeps_its_negation: bool,
}

impl Guarantee {
    /// What both keep.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            keeps_it: self.keeps_it && other.keeps_it,
            keeps_its_negation: self.keeps_its_negation && other.keeps_its_negation,
        }
    }

    /// What one of them keeps.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            keeps_it: self.keeps_it || other.keeps_it,
            keeps_its_negation: self.keeps_its_negation || other.keeps_its_negation,
        }
    }
}

/// For each thread, what its moves from states of an invariant do with some conditions: Boolean terms over the state, as the invariant.
/// Where the budget is exhausted, nothing more is known.
pub fn guarantees(
    threaded: &mut ThreadedSystem,
    invariant: Term,
    conditions: &[Term],
    (backend, budget): (Backend, &Budget),
) -> Vec<Vec<Guarantee>> {
    let mut solver = Measured::new(backend.solver(budget, Workload::ShortQueries));
    for constraint in threaded.system.considered(invariant) {
        solver.assert(&threaded.system.terms, constraint);
    }
    let threads = threaded.threads.clone();
    let of_thread = threads.iter().map(|thread| {
        let of_condition = conditions.iter().map(|&condition| {
            let negation = threaded.system.terms.not(condition);
            let mut keeps = |condition| {
                if budget.exhausted().is_some() {
                    return false;
                }
                let ends = ends(threaded, &thread.moves, condition);
                let answer = solver.check("guarantee", &threaded.system.terms, &[ends]);
                matches!(answer, Answer::Unsat(_))
            };
            Guarantee {
                keeps_it: keeps(condition),
                keeps_its_negation: keeps(negation),
            }
        });
        of_condition.collect()
    });
    of_thread.collect()
}

/// That a condition holds, and one of the moves ends that; Boolean.
fn ends(threaded: &mut ThreadedSystem, moves: &[Move], condition: Term) -> Term {
    let ways: Vec<Term> = moves
        .iter()
        .map(|part| {
            let mut after = part.after(&threaded.system);
            let terms = &mut threaded.system.terms;
            let then = after.apply(terms, condition);
            let ended = terms.not(then);
            terms.and_all([part.guard, condition, ended])
        })
        .collect();
    threaded.system.terms.or_all(ways)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lock, waits};

    /// What threads do with a variable being a number, from states in which another variable is one.
    fn asked(
        mut threaded: ThreadedSystem,
        [(variable, value), (known, is)]: [(usize, u32); 2],
    ) -> Vec<[bool; 2]> {
        let mut equals = |variable: usize, value: u32| {
            let system = &mut threaded.system;
            let variable = system.state[variable].current;
            let width = system.terms.width(variable);
            let value = system.terms.bits(width, value.into());
            system.terms.equal(variable, value)
        };
        let (condition, invariant) = (equals(variable, value), equals(known, is));
        let with = (Backend::default(), &Budget::unlimited());
        let found = guarantees(&mut threaded, invariant, &[condition], with);
        let both = |thread: &Vec<Guarantee>| [thread[0].keeps_it, thread[0].keeps_its_negation];
        found.iter().map(both).collect()
    }

    #[test]
    fn what_moves_do_not_end_is_kept() {
        // The lock is taken by the first thread with 1 and by the second one with 2.
        let of_lock = |value, known| asked(lock([1, 2]), [(0, value), known]);
        assert_eq!(of_lock(0, (0, 0)), [[false, true], [false, true]]);
        assert_eq!(of_lock(1, (0, 0)), [[true, false], [true, true]]);
        // A lock that is held is not taken.
        assert_eq!(of_lock(0, (0, 1)), [[true, true], [true, true]]);
        assert_eq!(of_lock(1, (1, 1)), [[true, true], [true, true]]);
        // The second thread writes, the first one waits for its end.
        let of_written = |known| asked(waits(), [(0, 1), known]);
        assert_eq!(of_written((2, 0)), [[true, true], [true, false]]);
        assert_eq!(of_written((2, 1)), [[true, true], [true, true]]);
    }

    #[test]
    fn nothing_is_known_where_the_budget_is_exhausted() {
        let mut threaded = lock([1, 2]);
        let terms = &mut threaded.system.terms;
        let lock = threaded.system.state[0].current;
        let (always, free) = (terms.bool(true), terms.bits(terms.width(lock), 0));
        let is_free = terms.equal(lock, free);
        let budget = Budget::unlimited();
        budget.cancel();
        let with = (Backend::default(), &budget);
        let found = guarantees(&mut threaded, always, &[is_free], with);
        assert_eq!(found, [[Guarantee::default()], [Guarantee::default()]]);
    }
}
