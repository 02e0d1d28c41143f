//! Refinement: predicates that separate a concrete set of states from the states that its abstraction adds to it.

mod known;
mod strategies;

use system::transition_system::Reason;

use self::strategies::{FOR_FAMILIES, Failure, STRATEGIES, Strategy};
use super::CtigarSearch;
use super::cube::{Cube, Literal};
use super::queries::Consecution;

/// What the refined abstraction must be shown to be.
#[derive(Clone, Copy, Debug)]
enum Goal {
    /// Blocked at this level.
    Blocked(usize),
    /// Without initial states.
    Initiated,
}

impl CtigarSearch<'_> {
    /// Refines the precision so that the abstraction of an obligation can be blocked at a level, as its concrete set can
    /// because of `core`, and learns that it is blocked; whether it has.
    pub(super) fn refine(
        &mut self,
        number: usize,
        level: usize,
        core: Cube,
    ) -> Result<bool, Reason> {
        let concrete = self.obligations.get(number).concrete.clone();
        let core = self.initiated(&concrete, core)?;
        let refined = self.refined(number, Goal::Blocked(level), &core)?;
        match self.consecution(level - 1, &refined)? {
            Consecution::Blocked(core) => self.learn((number, level), &refined, core),
            Consecution::Open(_) => Err(Reason::Solver(
                "wrong answer: a refinement does not repeat itself".to_owned(),
            )),
        }
    }

    /// Refines the precision so that the abstraction of an obligation has no initial state, as its concrete set has none.
    pub(super) fn refine_initially(&mut self, number: usize) -> Result<(), Reason> {
        let concrete = self.obligations.get(number).concrete.clone();
        self.refined(number, Goal::Initiated, &concrete).map(drop)
    }

    /// Adds the weakest candidates that reach the goal to the precision and to the abstraction of the obligation.
    fn refined(&mut self, number: usize, goal: Goal, core: &Cube) -> Result<Cube, Reason> {
        self.counts.refinements += 1;
        let old = self.obligations.get(number).cube.clone();
        // The exact precision, as far as it is needed: these literals reach the goal already.
        let (mut refined, mut by) = (core.clone(), "bits");
        let first = (!self.families.is_empty()).then_some(FOR_FAMILIES);
        for strategy in first.into_iter().chain(STRATEGIES) {
            let candidates = self.candidates(strategy, number, core);
            let candidates = self.admitted(number, &candidates);
            if let Some(needed) = self.reaches(goal, &old.union(&candidates))? {
                let added = needed.filter(|literal| !old.contains(literal));
                refined = old.union(&self.minimal(goal, &old, added)?);
                by = strategy.name();
                break;
            }
        }
        let refined = self.known_instead(&refined)?;
        for literal in refined.iter() {
            if !self.predicates.is_active(literal.predicate()) {
                self.activate(literal.predicate());
                tracing::debug!(by, predicate = %self.shown(literal), "refined");
            }
        }
        self.obligations.refine(number, refined.clone());
        Ok(refined)
    }

    fn shown(&self, literal: Literal) -> String {
        system::export::smt_lib::text(&self.system.terms, self.predicates.now(literal))
    }

    /// Literals of the cube that reach the goal.
    fn reaches(&mut self, goal: Goal, cube: &Cube) -> Result<Option<Cube>, Reason> {
        match goal {
            Goal::Blocked(level) => Ok(match self.consecution(level - 1, cube)? {
                Consecution::Blocked(core) => Some(core),
                Consecution::Open(_) => None,
            }),
            Goal::Initiated => self.initial_core(cube),
        }
    }

    /// Drops from `added` what is not needed beside `old`.
    fn minimal(&mut self, goal: Goal, old: &Cube, mut added: Cube) -> Result<Cube, Reason> {
        for literal in added.clone().iter() {
            if added.contains(literal)
                && let Some(needed) = self.reaches(goal, &old.union(&added.without(literal)))?
            {
                added = added.filter(|kept| kept != literal && needed.contains(kept));
            }
        }
        Ok(added)
    }

    /// The literals of a strategy's candidates that hold in the state of the obligation.
    fn candidates(&mut self, strategy: &dyn Strategy, number: usize, core: &Cube) -> Cube {
        let obligation = self.obligations.get(number);
        let successor = obligation
            .successor
            .map(|successor| &self.obligations.get(successor).cube);
        let failure = Failure {
            step: &self.step,
            predicates: &self.predicates,
            obligation,
            successor,
            core,
            constants: &self.constants,
        };
        let candidates = strategy.candidates(self.system, &failure);
        let mut evaluator = self.step.evaluator(&obligation.state, &[]);
        let mut literals: Vec<Literal> = Vec::with_capacity(candidates.len());
        for term in candidates {
            if self.system.terms.as_value(term).is_none() {
                let literal = self.predicates.intern(self.system, &mut self.step, term);
                let holds = evaluator.value(&self.system.terms, term).is_true();
                literals.push(if holds { literal } else { !literal });
            }
        }
        literals.into_iter().collect()
    }
}
