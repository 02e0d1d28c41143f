//! A check of proofs that shares no code with the engines beyond unrolling.

use ic3::Budget;
use ic3::smt::{Answer, Backend};
use system::term::Term;
use system::transition_system::{Proof, TransitionSystem};
use system::unroll::{Link, Start, Unroller};

/// Panics unless the proof proves that the system is safe: each claim is one query to Z3 over a monolithic unrolling
/// with symbols of their own for all states.
pub fn check_proof(system: &mut TransitionSystem, proof: &Proof) {
    let mut runs = Runs {
        system,
        unroller: Unroller::new(Start::Initial, Link::Fresh),
        claims: Vec::new(),
    };
    match *proof {
        Proof::Inductive(invariant) => {
            runs.check_inductive(invariant);
            runs.of_length(Start::Arbitrary, 0)
                .with(0, invariant)
                .bad(0)
                .are_impossible();
        }
        Proof::KInduction {
            depth,
            distinct,
            invariant,
        } => {
            runs.check_inductive(invariant);
            runs.check_good(depth - 1);
            runs.of_length(Start::Arbitrary, depth);
            for position in 0..depth {
                runs.with(position, invariant).good(position);
                if distinct {
                    (0..position).for_each(|earlier| runs.differ(earlier, position));
                }
            }
            runs.bad(depth).are_impossible();
        }
        Proof::Exhausted { depth } => {
            runs.check_good(depth);
            runs.of_length(Start::Initial, depth + 1).are_impossible();
        }
    }
}

/// Runs, described by claims about their frames.
struct Runs<'a> {
    system: &'a mut TransitionSystem,
    unroller: Unroller,
    claims: Vec<Term>,
}

impl Runs<'_> {
    /// All runs with this number of transitions; forgets earlier claims.
    fn of_length(&mut self, start: Start, length: usize) -> &mut Self {
        self.unroller = Unroller::new(start, Link::Fresh);
        self.unroller.frame(self.system, length);
        let frames = self.unroller.frames().iter();
        self.claims = frames
            .flat_map(|frame| [frame.entry.clone(), frame.constraints.clone()].concat())
            .collect();
        self
    }

    fn with(&mut self, position: usize, term: Term) -> &mut Self {
        let claim = self.unroller.at(self.system, position, term);
        self.claims.push(claim);
        self
    }

    fn bad(&mut self, position: usize) -> &mut Self {
        let bad = self.unroller.frames()[position].bad.clone();
        self.claims.push(self.system.terms.or_all(bad));
        self
    }

    fn good(&mut self, position: usize) {
        self.bad(position);
        if let Some(last) = self.claims.last_mut() {
            *last = self.system.terms.not(*last);
        }
    }

    fn differ(&mut self, i: usize, j: usize) {
        let frames = self.unroller.frames();
        let pairs: Vec<(Term, Term)> = frames[i]
            .state
            .iter()
            .copied()
            .zip(frames[j].state.iter().copied())
            .collect();
        let terms = &mut self.system.terms;
        let different: Vec<Term> = pairs
            .into_iter()
            .map(|(a, b)| {
                let equal = terms.equal(a, b);
                terms.not(equal)
            })
            .collect();
        self.claims.push(terms.or_all(different));
    }

    fn are_impossible(&self) {
        let mut solver = Backend::Z3.solver(&Budget::unlimited());
        self.claims
            .iter()
            .for_each(|&claim| solver.assert(&self.system.terms, claim));
        assert!(
            matches!(solver.check(&self.system.terms, &[]), Answer::Unsat(_)),
            "the proof is wrong"
        );
    }

    fn check_inductive(&mut self, invariant: Term) {
        let broken = self.system.terms.not(invariant);
        self.of_length(Start::Initial, 0)
            .with(0, broken)
            .are_impossible();
        self.of_length(Start::Arbitrary, 1)
            .with(0, invariant)
            .with(1, broken)
            .are_impossible();
    }

    /// No violation in runs with at most this number of transitions.
    fn check_good(&mut self, length: usize) {
        for length in 0..=length {
            self.of_length(Start::Initial, length)
                .bad(length)
                .are_impossible();
        }
    }
}
