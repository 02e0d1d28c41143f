//! The search for a proof: abstract reachability and refinement in turn.

use solver::QueryStatistics;
use system::budget::Budget;
use system::term::{Term, Terms};
use system::transition_system::{Proof, Reason, Trace, Verdict};

use crate::abstraction::Precision;
use crate::alike::Alike;
use crate::context::Context;
use crate::derivation::{Contradiction, Derivation, Lacking, Target};
use crate::engine::{Options, Statistics};
use crate::invariant::invariant;
use crate::reachability::{Exploration, Halt};
use crate::threads::ThreadedSystem;
use crate::vocabulary::Scope;

/// Under one precision: each takes about 10 kB.
const MOST_STATES: usize = 100_000;

/// So many states are found in the first turn of each attempt, under all its precisions.
const FIRST_TURN: usize = 5000;

/// A search in a system.
pub(crate) struct Search<'a> {
    threaded: &'a ThreadedSystem,
    context: Context<'a>,
    alike: Alike,
    options: Options,
    budget: &'a Budget,
    pub(crate) queries: QueryStatistics,
    pub(crate) statistics: Statistics,
}

/// What is tracked of the variables that a proof needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Their values where these are few, else as the other one.
    Values,
    /// Simple terms that follow from them.
    Terms,
}

impl Way {
    /// Neither is good at all systems.
    pub(crate) const BOTH: [Self; 2] = [Self::Values, Self::Terms];
}

/// An attempt to find a proof.
#[derive(Debug)]
struct Attempt {
    way: Way,
    precision: Precision,
    /// Whether it speaks of local variables of others.
    looks_into_others: bool,
}

/// What became of an attempt under one precision.
#[derive(Debug)]
enum Outcome {
    /// This is an inductive invariant without bad states.
    Proved(Term),
    Violated(Trace),
    /// More is to be tracked.
    Lacks(Contradiction),
    /// It has had its turn.
    Paused,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        threaded: &'a ThreadedSystem,
        terms: &'a mut Terms,
        options: Options,
        budget: &'a Budget,
    ) -> Self {
        Self {
            threaded,
            context: Context::new(threaded, terms),
            alike: Alike::new(threaded),
            options,
            budget,
            queries: QueryStatistics::default(),
            statistics: Statistics::default(),
        }
    }

    /// Lets attempts in these ways take turns.
    ///
    /// # Errors
    /// The budget is exhausted, or there are more abstract states than there is room for.
    pub(crate) fn run(&mut self, ways: &[Way]) -> Result<Verdict, Reason> {
        let coarsest = Precision::new(self.threaded, self.context.terms);
        let attempts = ways.iter().map(|&way| Attempt {
            way,
            precision: coarsest.clone(),
            looks_into_others: !self.options.modular_first,
        });
        let mut attempts: Vec<Attempt> = attempts.collect();
        let mut turn = FIRST_TURN;
        loop {
            for attempt in &mut attempts {
                let states = self.context.states;
                tracing::debug!(?attempt.way, states, "turn");
                let verdict = self.turn(attempt, states + turn);
                let tracked = attempt.precision.tracked.iter();
                self.statistics.tracked = tracked.map(Vec::len).sum();
                self.statistics.looks_into_others = attempt.looks_into_others;
                if let Some(verdict) = verdict? {
                    return Ok(verdict);
                }
            }
            turn *= 2;
        }
    }

    /// Refines a precision until it decides the system or so many states were found.
    fn turn(
        &mut self,
        attempt: &mut Attempt,
        most_states: usize,
    ) -> Result<Option<Verdict>, Reason> {
        loop {
            match self.explored(attempt, most_states)? {
                Outcome::Proved(invariant) => {
                    return Ok(Some(Verdict::Safe(Proof::Inductive(invariant))));
                }
                Outcome::Violated(trace) => return Ok(Some(Verdict::Unsafe(trace))),
                Outcome::Lacks(contradiction) => self.refine(attempt, contradiction)?,
                Outcome::Paused => return Ok(None),
            }
        }
    }

    fn refine(
        &mut self,
        attempt: &mut Attempt,
        contradiction: Contradiction,
    ) -> Result<(), Reason> {
        let Contradiction { lacking, scope } = contradiction;
        if lacking.is_empty() {
            // Each clause of the derivation has a model of its own, so that more than what is tracked has to be said.
            return Err(Reason::Solver("wrong core: it has no term".to_owned()));
        }
        self.statistics.refinements += 1;
        attempt.looks_into_others |= scope == Scope::All;
        let terms = &mut *self.context.terms;
        for lacking in lacking {
            tracing::debug!(
                lacking.thread,
                term = %system::export::smt_lib::text(terms, lacking.term),
                "tracked"
            );
            for Lacking { thread, term } in self.alike.with_others(terms, lacking) {
                let tracked = &mut attempt.precision.tracked[thread];
                if !tracked.contains(&term) {
                    tracked.push(term);
                }
            }
        }
        Ok(())
    }

    /// Finds the abstract states of a precision, until so many were found.
    fn explored(&mut self, attempt: &Attempt, most_states: usize) -> Result<Outcome, Reason> {
        let mut exploration = Exploration::new(
            self.threaded,
            &attempt.precision,
            &mut self.context,
            (self.options.backend, self.budget),
        );
        let outcome = loop {
            let halt = exploration.go_on(&mut self.context, most_states);
            let outcome = halt.and_then(|halt| self.judge(&exploration, attempt, halt));
            if let Some(outcome) = outcome.transpose() {
                break outcome;
            }
        };
        self.statistics.states = exploration.found().len();
        self.queries.absorb(exploration.statistics());
        outcome
    }

    /// What becomes of an attempt when its exploration halts; none if that is to go on.
    fn judge(
        &mut self,
        exploration: &Exploration<'_>,
        attempt: &Attempt,
        halt: Halt,
    ) -> Result<Option<Outcome>, Reason> {
        let found = exploration.found();
        tracing::debug!(states = found.len(), ?halt, "explored");
        if found.len() >= MOST_STATES {
            let reason = format!("more than {MOST_STATES} abstract states");
            return Err(Reason::NotApplicable(reason));
        }
        let terms = &mut *self.context.terms;
        let scopes: &[Scope] = match self.options.modular_first {
            true => &Scope::BOTH,
            false => &[Scope::All],
        };
        match halt {
            Halt::Closed => {
                let invariant = invariant(found, &attempt.precision, terms);
                Ok(Some(Outcome::Proved(invariant)))
            }
            Halt::Paused => Ok(Some(Outcome::Paused)),
            Halt::Violated(violation) => {
                let target = Target::violation(self.threaded, terms, violation);
                self.confront(exploration, attempt, target, scopes)
            }
            Halt::Unexpected(unexpected) => {
                let target = Target::unexpected(terms, unexpected, found);
                // What others know may explain the value, but need not be known for the property.
                let scopes = match attempt.looks_into_others {
                    true => scopes,
                    false => &scopes[..1],
                };
                let outcome = self.confront(exploration, attempt, target, scopes)?;
                if outcome.is_none() {
                    self.context.expected.expect_more(unexpected.variable);
                }
                Ok(outcome)
            }
        }
    }

    /// What follows from a derivation; nothing if it may be a run but violates nothing.
    fn confront(
        &mut self,
        exploration: &Exploration<'_>,
        attempt: &Attempt,
        target: Target,
        scopes: &[Scope],
    ) -> Result<Option<Outcome>, Reason> {
        let property = target.property;
        let mut derivation = Derivation::new(
            self.threaded,
            &attempt.precision,
            exploration.found(),
            target,
            self.options.backend,
            self.budget,
        );
        let instances = &mut self.statistics.instances;
        *instances = derivation.len().max(*instances);
        let context = &mut self.context;
        let contradiction = derivation.contradiction(context, scopes, attempt.way);
        let outcome = contradiction.and_then(|contradiction| match (contradiction, property) {
            (Some(contradiction), _) => Ok(Some(Outcome::Lacks(contradiction))),
            (None, Some(property)) => {
                let trace = derivation.run(context, property)?;
                Ok(Some(Outcome::Violated(trace)))
            }
            (None, None) => Ok(None),
        });
        self.queries.absorb(derivation.statistics());
        outcome
    }
}
