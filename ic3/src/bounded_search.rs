//! Bounded search: the runs from the initial states in one incremental solver. Bounded model checking and the base case
//! of k-induction share it.

use system::term::{Term, Terms};
use system::transition_system::{Reason, Trace, TransitionSystem};
use system::unroll::{Link, Start, Unroller};

use crate::engine::confirmed;
use solver::{Answer, Measured};

/// Names of the queries.
const VIOLATION: &str = "violation within bound";
const WHICH: &str = "which violation";
const LONGER_RUN: &str = "longer run";

/// Runs of growing length.
///
/// The solver's assertions describe the runs up to the frame that starts the current window; what the later frames of
/// the window need is collected in `path`, because a violation ends a run and needs no transition after it.
pub(crate) struct BoundedSearch {
    unroller: Unroller,
    pub(crate) solver: Measured,
    properties: Vec<usize>,
    path: Vec<Term>,
    candidates: Vec<Candidate>,
}

/// A property and where it may be violated.
struct Candidate {
    property: usize,
    position: usize,
    /// Holds in the runs that violate it there.
    violated: Term,
}

impl BoundedSearch {
    /// No frames yet; looks for violations of `properties`, most important first.
    pub(crate) fn new(solver: Measured, link: Link, properties: Vec<usize>) -> Self {
        Self {
            unroller: Unroller::new(Start::Initial, link),
            solver,
            properties,
            path: Vec::new(),
            candidates: Vec::new(),
        }
    }

    /// Adds the frame at `position`, the one after the last, to the window.
    pub(crate) fn extend(&mut self, system: &mut TransitionSystem, position: usize) {
        let frame = self.unroller.frame(system, position);
        let required = frame.entry.iter().chain(&frame.constraints).copied();
        let terms = &mut system.terms;
        if self.candidates.is_empty() {
            required.for_each(|term| self.solver.assert(terms, term));
        } else {
            self.path.extend(required);
        }
        let reached = terms.and_all(self.path.iter().copied());
        for &property in &self.properties {
            let violated = terms.and(reached, frame.bad[property]);
            self.candidates.push(Candidate {
                property,
                position,
                violated,
            });
        }
    }

    /// Forgets all properties but these, in the window and from now on.
    pub(crate) fn look_only_for(&mut self, keeps: impl Fn(usize) -> bool) {
        self.properties.retain(|&property| keeps(property));
        self.candidates
            .retain(|candidate| keeps(candidate.property));
    }

    /// A violation in the window; if there is none, the window ends.
    pub(crate) fn violation(
        &mut self,
        system: &mut TransitionSystem,
    ) -> Result<Option<Trace>, Reason> {
        let any = system
            .terms
            .or_all(self.candidates.iter().map(|candidate| candidate.violated));
        match self.solver.check(VIOLATION, &system.terms, &[any]) {
            Answer::Sat(_) => self.first_violation(system).map(Some),
            Answer::Unknown(reason) => Err(reason),
            Answer::Unsat(_) => {
                let none = system.terms.not(any);
                self.close_window(&system.terms, none);
                Ok(None)
            }
        }
    }

    /// Whether a run reaches the frame added last; to be asked when the window has ended.
    pub(crate) fn has_run(&mut self, terms: &Terms) -> Result<bool, Reason> {
        match self.solver.check(LONGER_RUN, terms, &[]) {
            Answer::Sat(_) => Ok(true),
            Answer::Unsat(_) => Ok(false),
            Answer::Unknown(reason) => Err(reason),
        }
    }

    fn close_window(&mut self, terms: &Terms, no_violation: Term) {
        self.solver.assert(terms, no_violation);
        for term in self.path.drain(..) {
            self.solver.assert(terms, term);
        }
        self.candidates.clear();
    }

    /// The violation with the fewest transitions, and of those the most important one.
    fn first_violation(&mut self, system: &TransitionSystem) -> Result<Trace, Reason> {
        for candidate in &self.candidates {
            match self
                .solver
                .check(WHICH, &system.terms, &[candidate.violated])
            {
                Answer::Unsat(_) => {}
                Answer::Unknown(reason) => return Err(reason),
                Answer::Sat(mut model) => {
                    let length = candidate.position + 1;
                    let value = |symbol| model.value(&system.terms, symbol);
                    let trace = self
                        .unroller
                        .trace(system, candidate.property, length, value);
                    return confirmed(system, trace);
                }
            }
        }
        Err(Reason::Solver(
            "a disjunction is satisfiable and none of its parts is".to_owned(),
        ))
    }
}
