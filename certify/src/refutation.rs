//! Refutation of a set of clauses by a SAT solver that is not trusted.
//!
//! CaDiCaL names for every clause that it derives the ones that it follows from (the proof format LRAT). The check is unit
//! propagation: if the derived clause were false, each of its reasons would in turn force one more literal, until one of
//! them is false as well. The clauses are refuted once the empty clause is derived.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::time::Instant;

use cadical_sys::{CaDiCal, ProofTracer, Status, Terminator};

use crate::clauses::{Clauses, Lit};

/// Whether clauses can hold together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefutationResult {
    /// No, and every step that shows it was checked.
    Refuted,
    /// Yes, the solver says.
    Satisfiable,
    /// The solver was stopped.
    Interrupted,
}

/// Has the clauses refuted before the deadline.
///
/// # Errors
/// What is wrong with the refutation, or why there is no answer.
pub fn refute(clauses: Clauses, deadline: Instant) -> Result<RefutationResult, String> {
    let mut solver = CaDiCal::new();
    // Clauses about new variables follow from no others.
    solver.set("factor", 0);
    solver.connect_terminator(Deadline(deadline));
    let checker = Rc::new(RefCell::new(Checker::of(&clauses)));
    let (names_reasons, finalizes) = (true, false);
    solver.connect_proof_tracer1(Rc::clone(&checker), names_reasons, finalizes);
    for clause in clauses {
        solver.clause6(&clause);
    }
    match solver.solve() {
        Status::SATISFIABLE => Ok(RefutationResult::Satisfiable),
        Status::UNKNOWN => Ok(RefutationResult::Interrupted),
        Status::UNSATISFIABLE => {
            let checked = checker.borrow().conclude();
            checked.map(|()| RefutationResult::Refuted)
        }
    }
}

/// Ends a search.
struct Deadline(Instant);

impl Terminator for Deadline {
    fn terminated(&mut self) -> bool {
        Instant::now() >= self.0
    }
}

/// What CaDiCaL calls a clause.
type ClauseId = i64;

/// Follows a refutation.
struct Checker {
    given: BTreeSet<Vec<Lit>>,
    known: HashMap<ClauseId, Vec<Lit>>,
    assignment: Assignment,
    is_refuted: bool,
    /// The first step that does not hold.
    wrong: Option<String>,
}

impl Checker {
    fn of(clauses: &Clauses) -> Self {
        Self {
            given: clauses
                .iter()
                .map(|clause| sorted(clause.iter().copied()))
                .collect(),
            known: HashMap::new(),
            assignment: Assignment::default(),
            is_refuted: false,
            wrong: None,
        }
    }

    fn conclude(&self) -> Result<(), String> {
        match (&self.wrong, self.is_refuted) {
            (Some(wrong), _) => Err(wrong.clone()),
            (None, false) => Err("the empty clause was not derived".to_owned()),
            (None, true) => Ok(()),
        }
    }

    fn learn(&mut self, id: ClauseId, clause: Vec<Lit>, is_justified: bool, what: &str) {
        if !is_justified {
            self.wrong
                .get_or_insert(format!("clause {id} of the refutation is not {what}"));
            return;
        }
        self.is_refuted |= clause.is_empty();
        self.known.insert(id, clause);
    }

    /// Whether a clause follows from others that are known, in this order.
    fn follows(&mut self, clause: &[Lit], reasons: &[ClauseId]) -> bool {
        self.assignment.clear();
        clause
            .iter()
            .for_each(|&literal| self.assignment.make_true(-literal));
        let Self {
            known, assignment, ..
        } = self;
        let mut reasons = reasons.iter().filter_map(|reason| known.get(reason));
        reasons.any(|reason| assignment.contradicts(reason))
    }
}

impl ProofTracer for Checker {
    fn add_original_clause(&mut self, id: ClauseId, _: bool, clause: &[Lit], _: bool) {
        let clause = sorted(clause.iter().copied());
        let is_given = self.given.contains(&clause);
        self.learn(id, clause, is_given, "given");
    }

    fn add_derived_clause(
        &mut self,
        id: ClauseId,
        _: bool,
        _: Lit,
        clause: &[Lit],
        reasons: &[ClauseId],
    ) {
        let follows = self.follows(clause, reasons);
        self.learn(id, clause.to_vec(), follows, "implied by those before");
    }

    fn delete_clause(&mut self, id: ClauseId, _: bool, _: &[Lit]) {
        self.known.remove(&id);
    }

    // Nothing else makes a clause known, or is asked for without assumptions.
    fn weaken_minus(&mut self, _: ClauseId, _: &[Lit]) {}
    fn strengthen(&mut self, _: ClauseId) {}
    fn finalize_clause(&mut self, _: ClauseId, _: &[Lit]) {}
    fn add_assumption(&mut self, _: Lit) {}
    fn add_constraint(&mut self, _: &[Lit]) {}
    fn reset_assumptions(&mut self) {}
    fn add_assumption_clause(&mut self, _: ClauseId, _: &[Lit], _: &[ClauseId]) {}
    fn conclude_sat(&mut self, _: i32, _: &[Lit]) {}
    fn conclude_unsat(&mut self, _: i32, _: &[ClauseId]) {}
    fn conclude_unknown(&mut self, _: &[Lit]) {}
}

fn sorted(literals: impl Iterator<Item = Lit>) -> Vec<Lit> {
    let mut literals: Vec<Lit> = literals.collect();
    literals.sort_unstable();
    literals
}

/// Dense numbers for literals.
fn index(literal: Lit) -> usize {
    2 * literal.unsigned_abs() as usize + usize::from(literal < 0)
}

/// Which literals are true.
#[derive(Default)]
struct Assignment {
    is_true: Vec<bool>,
    trail: Vec<Lit>,
}

impl Assignment {
    fn clear(&mut self) {
        for literal in self.trail.drain(..) {
            self.is_true[index(literal)] = false;
        }
    }

    fn holds(&self, literal: Lit) -> bool {
        self.is_true.get(index(literal)).copied().unwrap_or(false)
    }

    fn make_true(&mut self, literal: Lit) {
        let index = index(literal);
        if self.is_true.len() <= index {
            self.is_true.resize(index + 1, false);
        }
        self.is_true[index] = true;
        self.trail.push(literal);
    }

    /// Whether a clause is false. If all of its literals but one are, that one becomes true.
    fn contradicts(&mut self, clause: &[Lit]) -> bool {
        let mut open = clause.iter().filter(|&&literal| !self.holds(-literal));
        match (open.next(), open.next()) {
            (None, _) => true,
            (Some(&literal), None) => {
                self.make_true(literal);
                false
            }
            (Some(_), Some(_)) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn clauses(clauses: &[&[Lit]]) -> Clauses {
        clauses.iter().map(|clause| clause.to_vec()).collect()
    }

    /// That so many pigeons fit into one hole less than there are pigeons, each in one of its own.
    fn pigeons(number: i32) -> Clauses {
        let sits = |pigeon: i32, hole: i32| 1 + pigeon * number + hole;
        let mut all: Vec<Vec<i32>> = (0..number)
            .map(|pigeon| (0..number - 1).map(|hole| sits(pigeon, hole)).collect())
            .collect();
        for hole in 0..number - 1 {
            for one in 0..number {
                all.extend((0..one).map(|other| vec![-sits(one, hole), -sits(other, hole)]));
            }
        }
        clauses(&all.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    #[test]
    fn refutations_are_found_and_hold() {
        let fits = clauses(&[&[1, 2], &[-1, 2], &[1, -2]]);
        assert_eq!(refute(fits, soon()), Ok(RefutationResult::Satisfiable));
        let trivial = clauses(&[&[1], &[]]);
        assert_eq!(refute(trivial, soon()), Ok(RefutationResult::Refuted));
        assert_eq!(refute(pigeons(7), soon()), Ok(RefutationResult::Refuted));
        let mut fewer = pigeons(7);
        fewer.remove(3);
        assert_eq!(refute(fewer, soon()), Ok(RefutationResult::Satisfiable));
    }

    #[test]
    fn a_deadline_ends_the_search() {
        assert_eq!(
            refute(pigeons(12), Instant::now()),
            Ok(RefutationResult::Interrupted)
        );
    }

    /// A checker that was told of some clauses, numbered from 1.
    fn told(given: &[&[Lit]]) -> Checker {
        let clauses = clauses(given);
        let mut checker = Checker::of(&clauses);
        for (id, clause) in (1..).zip(clauses) {
            checker.learn(id, clause, true, "given");
        }
        checker
    }

    #[test]
    fn steps_need_their_reasons() {
        let mut checker = told(&[&[1, 2], &[-1, 3], &[-2, 3]]);
        assert!(checker.follows(&[3], &[2, 3, 1]));
        for reasons in [&[][..], &[1], &[2, 3], &[1, 2], &[2, 1], &[2, 4, 1]] {
            assert!(!checker.follows(&[3], reasons), "{reasons:?}");
        }
        assert!(!checker.follows(&[1], &[1, 2, 3]));
        assert!(!checker.follows(&[], &[1, 2, 3]));
    }

    #[test]
    fn a_wrong_step_is_no_refutation() {
        assert!(told(&[&[1]]).conclude().is_err());
        let mut checker = told(&[&[1]]);
        checker.learn(2, Vec::new(), false, "implied");
        checker.learn(3, Vec::new(), true, "implied");
        assert_eq!(
            checker.conclude(),
            Err("clause 2 of the refutation is not implied".to_owned())
        );
        let mut checker = told(&[&[1], &[]]);
        assert!(checker.wrong.is_none());
        checker.known.clear();
        assert!(!checker.follows(&[1], &[1]));
    }
}
