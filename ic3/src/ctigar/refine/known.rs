//! Replaces new predicates by equivalent predicates of the precision.

use system::eval::Evaluator;
use system::transition_system::Reason;

use super::super::CtigarSearch;
use super::super::cube::{Cube, Literal, Predicate};

/// So many states are looked at before a solver is asked whether two predicates are equal.
const SAMPLES: usize = 16;

impl CtigarSearch<'_> {
    /// The same set of states by predicates that are active already, where new ones mean the same.
    pub(super) fn known_instead(&mut self, cube: &Cube) -> Result<Cube, Reason> {
        let states = self.obligations.states().take(SAMPLES);
        let mut samples: Vec<Evaluator> = states
            .map(|state| self.step.evaluator(state, &[]))
            .collect();
        let mut literals = Vec::with_capacity(cube.len());
        for literal in cube.iter() {
            let known = self.known_equal(literal, &mut samples)?;
            literals.push(known.unwrap_or(literal));
        }
        Ok(literals.into_iter().collect())
    }

    /// A literal of the precision that holds in the same states, the samples first, if that is another one.
    fn known_equal(
        &mut self,
        literal: Literal,
        samples: &mut [Evaluator],
    ) -> Result<Option<Literal>, Reason> {
        let predicate = literal.predicate();
        if self.predicates.is_active(predicate) {
            return Ok(None);
        }
        let support = |predicate| self.predicates.support(predicate);
        let active = self.predicates.active().iter().copied();
        let alike = active.filter(|&known| support(known) == support(predicate));
        for known in alike.collect::<Vec<_>>() {
            let Some(known) = self.agreeing(literal, known, samples) else {
                continue;
            };
            let [a, b] = [literal, known].map(|literal| self.predicates.now(literal));
            if self.queries.are_equal(&mut self.system.terms, a, b)? {
                self.counts.known += 1;
                return Ok(Some(known));
            }
        }
        Ok(None)
    }

    /// The literal of a predicate that has the same truth value as another one in all samples.
    fn agreeing(
        &self,
        literal: Literal,
        predicate: Predicate,
        samples: &mut [Evaluator],
    ) -> Option<Literal> {
        let mut sign = None;
        for evaluator in samples {
            let [left, right] = [literal, predicate.literal(true)].map(|literal| {
                let term = self.predicates.now(literal);
                evaluator.value(&self.system.terms, term).is_true()
            });
            if *sign.get_or_insert(left == right) != (left == right) {
                return None;
            }
        }
        sign.map(|same| predicate.literal(same))
    }
}
