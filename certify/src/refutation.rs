//! Refutation of a set of clauses by a SAT solver that is not trusted.
//!
//! CaDiCaL names for every clause that it derives the ones that it follows from (the proof format LRAT). The check is unit
//! propagation: if the derived clause were false, each of its reasons would in turn force one more literal, until one of
//! them is false as well. The clauses are refuted once the empty clause is derived.

use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

use rustsat::solvers::{ControlSignal, Solve, SolverResult, Terminate};
use rustsat::types::Lit;
use rustsat_cadical::{CaDiCaL, CaDiCaLClause, ClauseId, TraceProof};

use crate::clauses::Clauses;

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
    let mut solver = CaDiCaL::default();
    solver
        .set_option("lrat", 1)
        .map_err(|error| error.to_string())?;
    solver.attach_terminator(move || match Instant::now() < deadline {
        true => ControlSignal::Continue,
        false => ControlSignal::Terminate,
    });
    let tracer = solver.connect_proof_tracer(Checker::of(&clauses), true);
    let added = clauses
        .into_iter()
        .try_for_each(|clause| solver.add_clause(clause.into_iter().collect()));
    let answer = added.and_then(|()| solver.solve());
    let checker = solver
        .disconnect_proof_tracer(tracer)
        .map_err(|error| error.to_string())?;
    match answer.map_err(|error| error.to_string())? {
        SolverResult::Sat => Ok(RefutationResult::Satisfiable),
        SolverResult::Interrupted => Ok(RefutationResult::Interrupted),
        SolverResult::Unsat => checker.conclude().map(|()| RefutationResult::Refuted),
    }
}

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

    fn conclude(self) -> Result<(), String> {
        match (self.wrong, self.is_refuted) {
            (Some(wrong), _) => Err(wrong),
            (None, false) => Err("the empty clause was not derived".to_owned()),
            (None, true) => Ok(()),
        }
    }

    fn learn(&mut self, id: ClauseId, clause: Vec<Lit>, is_justified: bool, what: &str) {
        if !is_justified {
            self.wrong
                .get_or_insert(format!("clause {} of the refutation is not {what}", id.0));
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
            .for_each(|&literal| self.assignment.make_true(!literal));
        let Self {
            known, assignment, ..
        } = self;
        let mut reasons = reasons.iter().filter_map(|reason| known.get(reason));
        reasons.any(|reason| assignment.contradicts(reason))
    }
}

impl TraceProof for Checker {
    fn add_original_clause(&mut self, id: ClauseId, _: bool, clause: &CaDiCaLClause, _: bool) {
        let clause = sorted(clause.iter());
        let is_given = self.given.contains(&clause);
        self.learn(id, clause, is_given, "given");
    }

    fn add_derived_clause(
        &mut self,
        id: ClauseId,
        _: bool,
        clause: &CaDiCaLClause,
        reasons: &[ClauseId],
    ) {
        let clause: Vec<Lit> = clause.iter().collect();
        let follows = self.follows(&clause, reasons);
        self.learn(id, clause, follows, "implied by those before");
    }

    fn delete_clause(&mut self, id: ClauseId, _: bool, _: &CaDiCaLClause) {
        self.known.remove(&id);
    }
}

fn sorted(literals: impl Iterator<Item = Lit>) -> Vec<Lit> {
    let mut literals: Vec<Lit> = literals.collect();
    literals.sort_unstable();
    literals
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
            self.is_true[literal.lidx()] = false;
        }
    }

    fn holds(&self, literal: Lit) -> bool {
        self.is_true.get(literal.lidx()).copied().unwrap_or(false)
    }

    fn make_true(&mut self, literal: Lit) {
        let index = literal.lidx();
        if self.is_true.len() <= index {
            self.is_true.resize(index + 1, false);
        }
        self.is_true[index] = true;
        self.trail.push(literal);
    }

    /// Whether a clause is false. If all of its literals but one are, that one becomes true.
    fn contradicts(&mut self, clause: &[Lit]) -> bool {
        let mut open = clause.iter().filter(|&&literal| !self.holds(!literal));
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

    fn literal(number: i32) -> Lit {
        let positive = Lit::positive(number.unsigned_abs());
        if number < 0 { !positive } else { positive }
    }

    fn clauses(numbers: &[&[i32]]) -> Clauses {
        let clause = |numbers: &&[i32]| numbers.iter().copied().map(literal).collect();
        numbers.iter().map(clause).collect()
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
    fn told(numbers: &[&[i32]]) -> Checker {
        let clauses = clauses(numbers);
        let mut checker = Checker::of(&clauses);
        for (id, clause) in (1..).zip(clauses) {
            checker.learn(ClauseId(id), clause, true, "given");
        }
        checker
    }

    #[test]
    fn steps_need_their_reasons() {
        let mut checker = told(&[&[1, 2], &[-1, 3], &[-2, 3]]);
        let ids = |numbers: &[i64]| numbers.iter().copied().map(ClauseId).collect::<Vec<_>>();
        let three = [literal(3)];
        assert!(checker.follows(&three, &ids(&[2, 3, 1])));
        for reasons in [&[][..], &[1], &[2, 3], &[1, 2], &[2, 1], &[2, 4, 1]] {
            assert!(!checker.follows(&three, &ids(reasons)), "{reasons:?}");
        }
        assert!(!checker.follows(&[literal(1)], &ids(&[1, 2, 3])));
        assert!(!checker.follows(&[], &ids(&[1, 2, 3])));
    }

    #[test]
    fn a_wrong_step_is_no_refutation() {
        assert!(told(&[&[1]]).conclude().is_err());
        let mut checker = told(&[&[1]]);
        checker.learn(ClauseId(2), Vec::new(), false, "implied");
        checker.learn(ClauseId(3), Vec::new(), true, "implied");
        assert_eq!(
            checker.conclude(),
            Err("clause 2 of the refutation is not implied".to_owned())
        );
        let mut checker = told(&[&[1], &[]]);
        assert!(checker.wrong.is_none());
        checker.known.clear();
        assert!(!checker.follows(&[literal(1)], &[ClauseId(1)]));
    }
}
