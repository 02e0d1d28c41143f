//! Refinement: predicates that separate a concrete set of states from what its abstraction adds to it.

use rustc_hash::FxHashMap;
use system::eval::Evaluator;
use system::term::{Binary, Node, Sort, Term, Terms, Value};
use system::transition_system::Reason;

use super::Search;
use super::cube::{Cube, Literal, Predicate};
use super::mine::atoms_of;
use super::queries::Consecution;

/// So many states are looked at before a solver is asked whether two predicates are equal.
const SAMPLES: usize = 16;

/// What the refined abstraction must be shown to be.
#[derive(Clone, Copy, Debug)]
enum Goal {
    /// Blocked at this level.
    Blocked(usize),
    /// Without initial states.
    Initiated,
}

impl Search<'_> {
    /// Refines the precision so that the abstraction of an obligation can be blocked at a level, as its concrete set can
    /// because of `core`, and learns that it is blocked.
    pub(super) fn refine(&mut self, number: usize, level: usize, core: Cube) -> Result<(), Reason> {
        let concrete = self.obligations.get(number).concrete.clone();
        let core = self.initiated(&concrete, core)?;
        let refined = self.refined(number, Goal::Blocked(level), &core)?;
        match self.consecution(level - 1, &refined)? {
            Consecution::Blocked(core) => self.learn(level, &refined, core),
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
        let mut refined = None;
        for strategy in [Self::weakest_preconditions, Self::templates] {
            let candidates = strategy(self, number, core);
            if let Some(needed) = self.reaches(goal, &old.union(&candidates))? {
                let added = needed.filter(|literal| !old.contains(literal));
                refined = Some(old.union(&self.minimal(goal, &old, added)?));
                break;
            }
        }
        // The exact precision, as far as it is needed: the literals that reach the goal already.
        let refined = refined.unwrap_or_else(|| core.clone());
        let refined = self.known_instead(&refined)?;
        for literal in refined.iter() {
            if self.predicates.activate(literal.predicate()) {
                self.counts.predicates += 1;
                tracing::debug!(predicate = %self.shown(literal), "refined");
            }
        }
        self.obligations.refine(number, refined.clone());
        Ok(refined)
    }

    /// The same set of states by predicates that are active already, where new ones mean the same.
    fn known_instead(&mut self, cube: &Cube) -> Result<Cube, Reason> {
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

    /// What must hold before the step for the successor's abstraction to hold after it, under the inputs of the step.
    fn weakest_preconditions(&mut self, number: usize, _: &Cube) -> Cube {
        let obligation = self.obligations.get(number).clone();
        let mut roots = Vec::new();
        match obligation.successor {
            Some(successor) => {
                let target = self.obligations.get(successor).cube.clone();
                roots.extend(target.iter().map(|literal| self.predicates.after(literal)));
                roots.extend(&self.step.enabled);
            }
            None => roots.push(self.step.bad),
        }
        let mut known = self.fixed(&obligation.cube);
        let terms = &mut self.system.terms;
        for (&input, &value) in self.step.inputs.iter().zip(&obligation.inputs) {
            known.insert(input, terms.constant(value));
        }
        let conditions = terms.substitute(&roots, &known);
        let atoms = atoms_of(self.system, &conditions);
        self.true_at(&obligation.state, atoms)
    }

    /// The variables to which a cube gives a value, such as the places of threads.
    fn fixed(&self, cube: &Cube) -> FxHashMap<Term, Term> {
        let terms = &self.system.terms;
        let equation = |literal: Literal| {
            let Node::Binary(Binary::Equal, a, b) = terms.node(self.predicates.now(literal)) else {
                return None;
            };
            let (variable, value) = if terms.as_value(a).is_some() {
                (b, a)
            } else {
                (a, b)
            };
            terms.as_value(value).map(|_| (variable, value))
        };
        let equations = cube.iter().filter_map(equation);
        equations
            .filter(|&(variable, _)| terms.is_symbol(variable))
            .collect()
    }

    /// Relations between the variables that the core speaks of.
    fn templates(&mut self, number: usize, core: &Cube) -> Cube {
        let state = self.obligations.get(number).state.clone();
        let mut variables: Vec<usize> = self.predicates.support_of(core).into_iter().collect();
        variables.sort_unstable();
        let variables: Vec<(Term, Value)> = variables
            .into_iter()
            .map(|position| (self.step.state[position], state[position]))
            .collect();
        let terms = &mut self.system.terms;
        let mut relations = Vec::new();
        for (index, &(x, value)) in variables.iter().enumerate() {
            relations.extend(bounds(terms, x, &self.constants));
            for &(y, other) in &variables[index + 1..] {
                relations.extend(between(terms, (x, value), (y, other)));
            }
        }
        self.true_at(&state, relations)
    }

    /// The literals of these terms that hold in a state.
    fn true_at(&mut self, state: &[Value], candidates: Vec<Term>) -> Cube {
        let mut evaluator = self.step.evaluator(state, &[]);
        let mut literals: Vec<Literal> = Vec::new();
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

/// A variable against the constants of its sort that the system mentions.
fn bounds(terms: &mut Terms, x: Term, constants: &[Term]) -> Vec<Term> {
    let sort = terms.sort(x);
    if sort == Sort::Bool {
        return vec![x];
    }
    let mut relations = Vec::new();
    for &constant in constants {
        if terms.sort(constant) == sort {
            relations.extend([
                terms.equal(x, constant),
                terms.unsigned_less(x, constant),
                terms.unsigned_less(constant, x),
                terms.signed_less(x, constant),
                terms.signed_less(constant, x),
            ]);
        }
    }
    relations
}

/// Relations between two variables of one sort.
fn between(terms: &mut Terms, (x, value): (Term, Value), (y, other): (Term, Value)) -> Vec<Term> {
    if terms.sort(x) != terms.sort(y) {
        return Vec::new();
    }
    let mut relations = vec![terms.equal(x, y)];
    if let Sort::BitVec(width) = terms.sort(x) {
        relations.extend([
            terms.unsigned_less(x, y),
            terms.unsigned_less(y, x),
            terms.signed_less(x, y),
            terms.signed_less(y, x),
        ]);
        let difference = Value::truncated(width, other.bits().wrapping_sub(value.bits()));
        let difference = terms.constant(difference);
        let shifted = terms.add(x, difference);
        relations.push(terms.equal(shifted, y));
    }
    relations
}
