//! Affine equalities between variables, modulo a power of two, that hold in all reachable states.
//!
//! The domain is that of Müller-Olm and Seidl ("Analysis of modular arithmetic", TOPLAS 2007): affine subspaces of the
//! vectors over the integers modulo `2^w`, here with `w` the width of the widest variable. Narrower variables count as
//! numbers below their bound; their own modular relations are equalities multiplied by a power of two. Boolean
//! variables and comparisons with constants, such as "thread 1 is at l7", count as 0 or 1.
//!
//! The analysis combines the subspaces with other domains, since facts of one domain help to preserve facts of another:
//! [`bounds`] from above, [`differences`] between variables at locations of threads, and [`exclusions`] of conditions.
//!
//! Symbolic abstraction finds the least inductive element (Elder, Lim, Sharma, Andersen, Reps, "Abstract domains of
//! affine relations", TOPLAS 2014): as long as a solver finds a state of the element with a step out of the element,
//! the successor is joined. Each join makes the element larger, and chains of subspaces are short. Random walks start
//! from every joined state. They find most of the states that must be joined without a query.

mod abstract_element;
mod bounds;
mod differences;
mod dimensions;
mod exclusions;
mod space;
#[cfg(test)]
mod tests;

use std::time::Duration;

use rustc_hash::FxHashSet;
use system::export::smt_lib;
use system::term::{Binary, Node, Term, Terms, Value};
use system::transition_system::TransitionSystem;
use system::walk::Walk;

use self::abstract_element::AbstractElement;
use self::dimensions::Dimensions;
use super::queries::initial_terms;
use super::step_relation::StepRelation;
use crate::engine::NewSolver;
use solver::{Answer, Measured, QueryStatistics};
use system::budget::Budget;

/// Names of the queries.
const INITIATION: &str = "affine initiation";
const CONSECUTION: &str = "affine consecution";
const VALIDITY: &str = "affine validity";

/// Walks from one state.
const WALKS: usize = 500;

/// After so many walks from the first initial state that bring no news, a solver is asked.
const IDLE_AT_FIRST: usize = 24;

/// The same, of walks from states that a solver has found.
const IDLE_LATER: usize = 2;

/// Conflicts of the solver in one query.
#[derive(Clone, Copy)]
struct Effort {
    /// After so many a query about all facts is split into queries about one fact each.
    together: u32,
    /// After so many in a query about one fact, the fact is dropped.
    alone: u32,
}

const EFFORT: Effort = Effort {
    together: 1000,
    alone: 200,
};

/// The analysis is given up after a part of the time that is left, since it is meant to spare some.
const SHARE: u32 = 3;

/// The same, if time is not limited.
const TIME: Duration = Duration::from_secs(10);

/// Equalities and bounds, as Boolean terms over the state, that hold initially and that every step preserves together; none
/// that holds in all states. There are none either if the analysis was given up.
pub fn invariants(
    system: &mut TransitionSystem,
    step: &mut StepRelation,
    new_solver: &NewSolver,
    budget: &Budget,
) -> (Vec<Term>, QueryStatistics) {
    invariants_with(system, step, new_solver, budget, EFFORT)
}

fn invariants_with(
    system: &mut TransitionSystem,
    step: &mut StepRelation,
    new_solver: &NewSolver,
    budget: &Budget,
    effort: Effort,
) -> (Vec<Term>, QueryStatistics) {
    let Some(dimensions) = Dimensions::new(system, step) else {
        return Default::default();
    };
    let time = budget.remaining().map_or(TIME, |left| left / SHARE);
    let budget = budget.child_with_time(time);
    let solver = || Measured::new(new_solver(&budget));
    let (initial, mut stepping) = (solver(), solver());
    stepping.limit_conflicts(effort.together);
    let state = step.state.clone().into_iter();
    let successor = state.map(|variable| step.after(system, variable)).collect();
    let blocks = disjuncts(&system.terms, system.guard);
    let mut analysis = AffineAnalysis {
        successor,
        blocks,
        block: 0,
        system,
        step,
        dimensions,
        initial,
        stepping,
        effort,
        budget,
    };
    let found = analysis.run().unwrap_or_default();
    tracing::info!(
        dimensions = analysis.dimensions.len(),
        invariants = found.len(),
        "affine analysis"
    );
    for &invariant in &found {
        tracing::debug!(invariant = %smt_lib::text(&analysis.system.terms, invariant), "affine");
    }
    let mut statistics = analysis.initial.statistics().clone();
    statistics.absorb(analysis.stepping.statistics());
    (found, statistics)
}

/// The parts of a disjunction.
fn disjuncts(terms: &Terms, term: Term) -> Vec<Term> {
    let (mut open, mut found) = (vec![term], Vec::new());
    while let Some(term) = open.pop() {
        if let Node::Binary(Binary::Or, a, b) = terms.node(term) {
            open.extend([a, b]);
        } else {
            found.push(term);
        }
    }
    found
}

struct AffineAnalysis<'a> {
    system: &'a mut TransitionSystem,
    step: &'a mut StepRelation,
    dimensions: Dimensions,
    /// Knows the initial states.
    initial: Measured,
    /// Knows the constraints on states.
    stepping: Measured,
    /// The state variables after a step.
    successor: Vec<Term>,
    /// Disjuncts of the guard.
    blocks: Vec<Term>,
    /// How many queries about one block have found nothing.
    block: usize,
    effort: Effort,
    budget: Budget,
}

/// What a query finds.
enum Found {
    /// A state outside of the space that belongs in it.
    Outside(Vec<Value>),
    /// Facts of which the solver cannot tell whether a step preserves them.
    Hard(Vec<Term>),
    Nothing,
}

impl AffineAnalysis<'_> {
    /// `None` if a solver goes wrong, or the time is over.
    fn run(&mut self) -> Option<Vec<Term>> {
        let constraints = self.step.constraints.clone();
        for &constraint in &constraints {
            self.stepping.assert(&self.system.terms, constraint);
        }
        for term in initial_terms(self.system).into_iter().chain(constraints) {
            self.initial.assert(&self.system.terms, term);
        }
        let Found::Outside(first) = self.initial_outside(&[])? else {
            return None;
        };
        let state = self.step.state.clone();
        let conditions = self.step.constraints.iter().chain(&self.step.enabled);
        let mut walk = Walk::new(
            &mut self.system.terms,
            (state, self.successor.clone()),
            &self.step.inputs,
            conditions.copied(),
        );
        let point = self.point(&first);
        let mut element = AbstractElement::of(self.system, &self.dimensions, &point);
        self.join_visited(&mut element, &mut walk, &first, IDLE_AT_FIRST);
        let mut hard = FxHashSet::default();
        loop {
            let mut facts = element.candidate_invariants(self.system, &self.dimensions);
            facts.retain(|fact| !hard.contains(fact));
            tracing::debug!(facts = facts.len(), "affine candidates");
            if facts.is_empty() {
                return None;
            }
            let outside = match self.initial_outside(&facts)? {
                Found::Nothing => self.successor_outside(&facts)?,
                found @ (Found::Outside(_) | Found::Hard(_)) => found,
            };
            match outside {
                Found::Outside(state) if element.join(&self.point(&state)) => {
                    self.join_visited(&mut element, &mut walk, &state, IDLE_LATER);
                }
                Found::Outside(_) => return None,
                Found::Hard(facts) => {
                    tracing::debug!(facts = facts.len(), "too hard");
                    hard.extend(facts);
                }
                Found::Nothing => return Some(self.informative(facts)),
            }
        }
    }

    fn point(&mut self, state: &[Value]) -> Vec<u64> {
        self.dimensions.at(&self.system.terms, self.step, state)
    }

    /// Walks from a state until so many walks in a row bring no news.
    fn join_visited(
        &mut self,
        element: &mut AbstractElement,
        walk: &mut Walk,
        state: &[Value],
        most_idle: usize,
    ) {
        let (mut idle, mut walks) = (0, 0);
        while idle < most_idle && walks < WALKS {
            walks += 1;
            idle += 1;
            for visited in walk.from(&self.system.terms, state) {
                if element.join(&self.point(&visited)) {
                    idle = 0;
                }
            }
        }
    }

    /// An initial state that violates one of these terms, or any initial state if there are none.
    fn initial_outside(&mut self, facts: &[Term]) -> Option<Found> {
        let mut outside = Vec::new();
        if !facts.is_empty() {
            outside.push(self.some_violated(facts.to_vec()));
        }
        let terms = &self.system.terms;
        match self.initial.check(INITIATION, terms, &outside) {
            Answer::Sat(mut model) => Some(Found::Outside(model.values(terms, &self.step.state))),
            Answer::Unsat(_) => Some(Found::Nothing),
            Answer::Unknown(_) => None,
        }
    }

    /// Where a step leads from a state that satisfies these terms, if it violates one of them.
    fn successor_outside(&mut self, facts: &[Term]) -> Option<Found> {
        let after = facts.iter().map(|&fact| self.step.after(self.system, fact));
        let after: Vec<Term> = after.collect();
        let outside = self.some_violated(after.clone());
        for _ in 0..self.blocks.len() {
            let found = match self.step_into(facts, outside) {
                Some(found) => found,
                None => self.step_out_of_one(facts, &after)?,
            };
            if !matches!(found, Found::Nothing) {
                return Some(found);
            }
            self.block += 1;
        }
        Some(Found::Nothing)
    }

    /// As [`Self::successor_outside`], of one block and by one query per fact.
    fn step_out_of_one(&mut self, facts: &[Term], after: &[Term]) -> Option<Found> {
        self.stepping.limit_conflicts(self.effort.alone);
        let mut hard = Vec::new();
        let mut state = None;
        for (&fact, &after) in facts.iter().zip(after) {
            let outside = self.system.terms.not(after);
            match self.step_into(facts, outside) {
                Some(Found::Nothing) => {}
                found @ Some(_) => {
                    state = found;
                    break;
                }
                None if self.budget.exhausted().is_some() => return None,
                None => hard.push(fact),
            }
        }
        self.stepping.limit_conflicts(self.effort.together);
        state.or(Some(match hard.is_empty() {
            true => Found::Nothing,
            false => Found::Hard(hard),
        }))
    }

    /// A step of one block from a state that satisfies facts such that `outside`, a term over state and inputs, holds; `None`
    /// if the solver gives up.
    fn step_into(&mut self, facts: &[Term], outside: Term) -> Option<Found> {
        let mut assumptions = facts.to_vec();
        assumptions.extend(&self.step.enabled);
        assumptions.extend([outside, self.blocks[self.block % self.blocks.len()]]);
        let terms = &self.system.terms;
        match self.stepping.check(CONSECUTION, terms, &assumptions) {
            Answer::Sat(mut model) => Some(Found::Outside(model.values(terms, &self.successor))),
            Answer::Unsat(_) => Some(Found::Nothing),
            Answer::Unknown(_) => None,
        }
    }

    fn some_violated(&mut self, facts: Vec<Term>) -> Term {
        let terms = &mut self.system.terms;
        let all = terms.and_all(facts);
        terms.not(all)
    }

    /// About as few of the facts as say the same, those that hold in all states not among them.
    fn informative(&mut self, facts: Vec<Term>) -> Vec<Term> {
        let mut kept = facts;
        for position in (0..kept.len()).rev() {
            let fact = kept.swap_remove(position);
            let mut assumptions = kept.clone();
            assumptions.push(self.system.terms.not(fact));
            match self
                .stepping
                .check(VALIDITY, &self.system.terms, &assumptions)
            {
                Answer::Sat(_) | Answer::Unknown(_) => kept.push(fact),
                Answer::Unsat(_) => {}
            }
        }
        kept
    }
}
