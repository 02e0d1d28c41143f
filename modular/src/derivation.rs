//! Refinement: why a derivation of a violation in the abstraction is none in the system.
//!
//! The derivation consists of instances of clauses of the proof rule. Each has variables of its own; what connects the states that one
//! derives with those that another one needs are the terms that the abstraction tracks. With the terms of a scope tracked in addition the
//! instances may contradict each other, and a core of the contradiction is what the precision lacks. The derivation is a graph, since what is
//! derived once may be needed often.

use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Backend, Measured, QueryStatistics, Workload};
use system::budget::Budget;
use system::term::{Sort, Substitution, Term, Terms};
use system::transition_system::{Reason, Step, Trace};

use crate::abstraction::{Found, Origin, Precision, StateId};
use crate::context::Context;
use crate::moves::MoveId;
use crate::reachability::{Unexpected, Violation};
use crate::search::Way;
use crate::threads::ThreadedSystem;
use crate::vocabulary::{Basis, Scope, Source, preconditions};

/// Names of the queries.
const DERIVATION: &str = "modular derivation";
const MINIMISATION: &str = "modular minimisation";

/// What is no contradiction over what one thread may know is no run, if others stand for any number.
const UNKNOWN_OTHERS: &str = "no proof is about one thread of any number at a time";

/// So many queries make a core smaller at most.
const MOST_ATTEMPTS: usize = 200;

/// So often preconditions of preconditions are looked for.
const ROUNDS: usize = 10;

/// With so many offers no more preconditions are looked for.
const MOST_OFFERS: usize = 1000;

/// What the precision lacks: terms to track of threads, all of a scope.
#[derive(Debug)]
pub(crate) struct Contradiction {
    pub(crate) lacking: Vec<Lacking>,
    pub(crate) scope: Scope,
}

/// A term to track of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Lacking {
    pub(crate) thread: usize,
    pub(crate) term: Term,
}

/// Variables for instances of clauses. They serve one derivation after the other.
#[derive(Debug, Default)]
pub(crate) struct Instances {
    instances: Vec<Instance>,
}

/// The variables of an instance.
#[derive(Debug)]
struct Instance {
    state: Vec<Term>,
    inputs: Vec<Term>,
    /// From terms over the variables of the system to terms over these.
    own: Substitution,
}

impl Instances {
    fn reserve(&mut self, threaded: &ThreadedSystem, terms: &mut Terms, number: usize) {
        let system = &threaded.system;
        while self.instances.len() < number {
            let position = self.instances.len();
            let mut copy = |term: Term| {
                let name = format!("{}@{position}", terms.symbol_name(term).unwrap_or_default());
                terms.symbol(name, terms.sort(term))
            };
            let variables = system.state.iter().map(|variable| variable.current);
            let variables: Vec<Term> = variables.collect();
            let state: Vec<Term> = variables.iter().map(|&term| copy(term)).collect();
            let inputs: Vec<Term> = system.inputs.iter().map(|&term| copy(term)).collect();
            let state_images = variables.into_iter().zip(state.iter().copied());
            let input_images = system.inputs.iter().copied().zip(inputs.iter().copied());
            let own = Substitution::new(state_images.chain(input_images).collect());
            self.instances.push(Instance { state, inputs, own });
        }
    }

    fn of(&mut self, terms: &mut Terms, instance: usize, term: Term) -> Term {
        self.instances[instance].own.apply(terms, term)
    }
}

/// What is derived.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The property that is violated, if one is.
    pub(crate) property: Option<usize>,
    /// What holds in the end.
    because: Term,
    /// The states that it needs.
    premises: Vec<StateId>,
    /// The threads that it is about.
    involved: Vec<usize>,
}

impl Target {
    /// That a property is violated.
    pub(crate) fn violation(
        threaded: &ThreadedSystem,
        terms: &Terms,
        violation: Violation,
    ) -> Self {
        // Of the others nothing is needed: their sets admit the same values of global variables in the end.
        let involved = threaded.involved(terms, violation.because);
        let states = violation.states;
        Self {
            property: Some(violation.property),
            because: violation.because,
            premises: match involved.is_empty() {
                true => states,
                false => involved.iter().map(|&thread| states[thread]).collect(),
            },
            involved,
        }
    }

    /// That a variable has a value that is not expected.
    pub(crate) fn unexpected(terms: &mut Terms, unexpected: Unexpected, found: &Found) -> Self {
        let value = terms.constant(unexpected.value);
        Self {
            property: None,
            because: terms.equal(unexpected.variable, value),
            premises: vec![unexpected.state],
            involved: vec![found.state(unexpected.state).thread],
        }
    }
}

/// A derivation of a violation, or of a value that is not expected.
pub(crate) struct Derivation<'a> {
    threaded: &'a ThreadedSystem,
    precision: &'a Precision,
    found: &'a Found,
    target: Target,
    /// The threads in the order in which terms are offered to them: those that the target is about, then the others.
    threads: Vec<usize>,
    /// All states that are derived, by the numbers of their instances; the violation comes behind them.
    states: Vec<StateId>,
    numbers: FxHashMap<StateId, usize>,
    solver: Measured,
    budget: Budget,
    /// In the order in which they were made.
    offers: Vec<Offer>,
}

/// A term that may be tracked.
#[derive(Clone, Copy, Debug)]
struct Offer {
    /// Assumed where it is.
    assumed: Term,
    lacking: Lacking,
}

impl<'a> Derivation<'a> {
    pub(crate) fn new(
        threaded: &'a ThreadedSystem,
        precision: &'a Precision,
        found: &'a Found,
        target: Target,
        backend: Backend,
        budget: &Budget,
    ) -> Self {
        let involved = &target.involved;
        let others = (0..threaded.threads.len()).rev();
        let others = others.filter(|thread| !involved.contains(thread));
        let threads = involved.iter().copied().chain(others).collect();
        let mut derivation = Self {
            threaded,
            precision,
            found,
            target,
            threads,
            states: Vec::new(),
            numbers: FxHashMap::default(),
            solver: Measured::new(backend.solver(budget, Workload::Refinement)),
            budget: budget.clone(),
            offers: Vec::new(),
        };
        let mut open = derivation.target.premises.clone();
        while let Some(state) = open.pop() {
            let number = derivation.states.len();
            if derivation.numbers.contains_key(&state) {
                continue;
            }
            derivation.numbers.insert(state, number);
            derivation.states.push(state);
            open.extend(derivation.premises_of(number));
        }
        derivation
    }

    pub(crate) fn statistics(&self) -> &QueryStatistics {
        self.solver.statistics()
    }

    /// Number of instances of clauses.
    pub(crate) fn len(&self) -> usize {
        self.states.len() + 1
    }

    /// Finds out what contradicts the derivation: simple terms in the first of the scopes that has some, else variables as they are;
    /// these also if they all have few values and that is the way.
    ///
    /// # Errors
    /// The budget is exhausted.
    pub(crate) fn contradiction(
        &mut self,
        context: &mut Context<'_>,
        scopes: &[Scope],
        way: Way,
    ) -> Result<Option<Contradiction>, Reason> {
        let Context {
            terms, instances, ..
        } = context;
        instances.reserve(self.threaded, terms, self.len());
        self.assert(context)?;
        let mut first = None;
        for &scope in scopes {
            let Some(needed) = self.needed(context, scope, way)? else {
                continue;
            };
            let needed: Vec<Lacking> = needed.into_iter().map(|offer| offer.lacking).collect();
            let mut variables = needed.iter().map(|lacking| lacking.term);
            let by_values = way == Way::Values
                && variables.all(|term| context.expected.is_narrow(context.terms, term));
            let explained = match by_values {
                true => None,
                false => self.explained(context, scope, &needed)?,
            };
            let is_simple = by_values || explained.is_some();
            let lacking = explained.unwrap_or(needed);
            let contradiction = Contradiction { lacking, scope };
            if is_simple {
                return Ok(Some(contradiction));
            }
            first.get_or_insert(contradiction);
        }
        Ok(first)
    }

    /// About as few of the terms that threads may know in a scope as contradict the derivation, if all together do.
    fn needed(
        &mut self,
        context: &mut Context<'_>,
        scope: Scope,
        way: Way,
    ) -> Result<Option<Vec<Offer>>, Reason> {
        self.offers.clear();
        self.offer(context, |context, thread| match way {
            Way::Values => context.vocabulary.known_where_live(scope, thread),
            Way::Terms => context.vocabulary.known(scope, thread).to_vec(),
        })?;
        let core = self.core(DERIVATION, context.terms, self.offers.clone())?;
        core.map(|core| self.minimised(context.terms, core))
            .transpose()
    }

    /// Simple terms that contradict the derivation, where needed ones of a scope do: if possible, terms that follow from those.
    fn explained(
        &mut self,
        context: &mut Context<'_>,
        scope: Scope,
        needed: &[Lacking],
    ) -> Result<Option<Vec<Lacking>>, Reason> {
        let threads = 0..self.threaded.threads.len();
        let basis = |thread: usize| {
            let needed = needed.iter().filter(|needed| needed.thread == thread);
            let tracked = self.precision.of(thread);
            let needed = needed.map(|needed| context.vocabulary.viewed(needed.term));
            Basis::new(needed.chain(tracked).collect())
        };
        let narrow = threads.clone().map(basis);
        let wide =
            threads.map(|thread| Basis::new(context.vocabulary.known(scope, thread).to_vec()));
        let both: [Vec<Basis>; 2] = [narrow.collect(), wide.collect()];
        for mut bases in both {
            self.offers.clear();
            let lacking = self.explained_by(context, &mut bases)?;
            if lacking.is_some() {
                return Ok(lacking);
            }
        }
        Ok(None)
    }

    /// Simple terms that follow from the bases of threads and contradict the derivation.
    fn explained_by(
        &mut self,
        context: &mut Context<'_>,
        bases: &mut [Basis],
    ) -> Result<Option<Vec<Lacking>>, Reason> {
        for source in [Source::Places, Source::Atoms, Source::Samples] {
            let news = self.offer(context, |context, thread| {
                let vocabulary = &context.vocabulary;
                vocabulary.candidates(context.terms, source, &mut bases[thread])
            })?;
            let lacking = self.lacking(context, news)?;
            if lacking.is_some() {
                return Ok(lacking);
            }
        }
        let by: Vec<MoveId> = (0..self.len())
            .filter_map(|number| self.move_of(number))
            .collect();
        for _ in 0..ROUNDS {
            if self.offers.len() > MOST_OFFERS {
                break;
            }
            let offered: Vec<Lacking> = self.offers.iter().map(|offer| offer.lacking).collect();
            let news = self.offer(context, |context, thread| {
                let targets = offered.iter().filter(|offered| offered.thread == thread);
                let targets: Vec<Term> = targets.map(|offered| offered.term).collect();
                let (terms, moves) = (&mut *context.terms, &mut context.moves);
                preconditions(terms, moves, &by, &targets, &mut bases[thread])
            })?;
            let lacking = self.lacking(context, news)?;
            if lacking.is_some() || !news {
                return Ok(lacking);
            }
        }
        Ok(None)
    }

    /// Those of the offers that contradict the derivation, if they do. They do not if there was no news.
    fn lacking(
        &mut self,
        context: &Context<'_>,
        news: bool,
    ) -> Result<Option<Vec<Lacking>>, Reason> {
        if !news {
            return Ok(None);
        }
        let Some(core) = self.core(DERIVATION, context.terms, self.offers.clone())? else {
            return Ok(None);
        };
        let core = self.minimised(context.terms, core)?;
        Ok(Some(core.into_iter().map(|offer| offer.lacking).collect()))
    }

    /// What the instance with a number needs.
    fn premises_of(&self, number: usize) -> Vec<StateId> {
        let Some(&state) = self.states.get(number) else {
            return self.target.premises.clone();
        };
        match self.found.origin(state) {
            Origin::Initial => Vec::new(),
            Origin::Move { mover, rests, .. } => [mover].into_iter().chain(rests).collect(),
        }
    }

    /// The move that the instance with a number makes.
    fn move_of(&self, number: usize) -> Option<MoveId> {
        match self.found.origin(*self.states.get(number)?) {
            Origin::Initial => None,
            Origin::Move { by, .. } => Some(by),
        }
    }

    /// Pairs of a premise and the instance that needs it, by their numbers.
    fn links(&self) -> Vec<(usize, usize)> {
        let all = 0..self.len();
        let links = all.flat_map(|number| {
            let premises = self.premises_of(number).into_iter();
            premises.map(move |premise| (self.numbers[&premise], number))
        });
        links.collect()
    }

    /// Asserts the instances, and that they agree on what is tracked.
    fn assert(&mut self, context: &mut Context<'_>) -> Result<(), Reason> {
        let system = &self.threaded.system;
        for number in 0..self.len() {
            self.budget.exhausted().map_or(Ok(()), Err)?;
            let formulas = match (self.states.get(number), self.move_of(number)) {
                (None, _) => system.considered(self.target.because),
                (Some(_), Some(by)) => system.considered(context.moves.guard(by)),
                (Some(_), None) => {
                    let constraints = system.invariant_constraints.iter().copied();
                    let initial = system.initial(context.terms).into_iter();
                    initial.chain(constraints).collect()
                }
            };
            for formula in formulas {
                let formula = context.instances.of(context.terms, number, formula);
                self.solver.assert(context.terms, formula);
            }
        }
        for (premise, number) in self.links() {
            let thread = self.found.state(self.states[premise]).thread;
            for term in self.precision.of(thread) {
                let agreed = self.agreement(context, (premise, number), term);
                self.solver.assert(context.terms, agreed);
            }
        }
        Ok(())
    }

    /// That a term has the same value where a premise is derived and where it is needed.
    fn agreement(
        &self,
        context: &mut Context<'_>,
        (premise, number): (usize, usize),
        term: Term,
    ) -> Term {
        let Context {
            terms,
            moves,
            instances,
            ..
        } = context;
        let derived = match self.move_of(premise) {
            None => term,
            Some(by) => moves.after(terms, by, term),
        };
        let derived = instances.of(terms, premise, derived);
        let needed = instances.of(terms, number, term);
        terms.equal(derived, needed)
    }

    /// Offers terms to threads. Whether there are some that were not offered before.
    fn offer(
        &mut self,
        context: &mut Context<'_>,
        mut candidates: impl FnMut(&mut Context<'_>, usize) -> Vec<Term>,
    ) -> Result<bool, Reason> {
        let before = self.offers.len();
        let offered = self.offers.iter().map(|offer| offer.lacking);
        let mut known: FxHashSet<Lacking> = offered.collect();
        let mut links: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.threads.len()];
        for link in self.links() {
            let thread = self.found.state(self.states[link.0]).thread;
            links[thread].push(link);
        }
        for thread in self.threads.clone() {
            let links = &links[thread];
            if links.is_empty() {
                continue;
            }
            known.extend(
                self.precision
                    .of(thread)
                    .map(|term| Lacking { thread, term }),
            );
            for term in candidates(context, thread) {
                let lacking = Lacking { thread, term };
                if !known.insert(lacking) {
                    continue;
                }
                self.budget.exhausted().map_or(Ok(()), Err)?;
                let assumed = context.terms.symbol("tracked", Sort::Bool);
                self.offers.push(Offer { assumed, lacking });
                for &link in links {
                    let agreed = self.agreement(context, link, term);
                    let implication = context.terms.implies(assumed, agreed);
                    self.solver.assert(context.terms, implication);
                }
            }
        }
        Ok(self.offers.len() > before)
    }

    /// Those of the offers that contradict the derivation, if they do.
    fn core(
        &mut self,
        name: &'static str,
        terms: &Terms,
        mut offers: Vec<Offer>,
    ) -> Result<Option<Vec<Offer>>, Reason> {
        let assumptions: Vec<Term> = offers.iter().map(|offer| offer.assumed).collect();
        match self.solver.check(name, terms, &assumptions) {
            Answer::Unsat(core) => {
                let core: FxHashSet<Term> = core.iter().copied().collect();
                offers.retain(|offer| core.contains(&offer.assumed));
                Ok(Some(offers))
            }
            Answer::Sat(_) => Ok(None),
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// About as few of the offers as contradict the derivation; those that were made last are left out first.
    fn minimised(&mut self, terms: &Terms, mut core: Vec<Offer>) -> Result<Vec<Offer>, Reason> {
        let mut position = core.len();
        for _ in 0..MOST_ATTEMPTS {
            if position == 0 {
                break;
            }
            position -= 1;
            let mut fewer = core.clone();
            fewer.remove(position);
            if let Some(smaller) = self.core(MINIMISATION, terms, fewer)? {
                let kept: FxHashSet<Term> = smaller.iter().map(|offer| offer.assumed).collect();
                let before = core[..position].iter();
                position = before.filter(|offer| kept.contains(&offer.assumed)).count();
                core = smaller;
            }
        }
        Ok(core)
    }

    /// The run that the derivation is if all variables were offered and do not contradict it.
    ///
    /// # Errors
    /// The budget is exhausted, or it need not be a run, since others stand for any number.
    pub(crate) fn run(
        &mut self,
        context: &mut Context<'_>,
        property: usize,
    ) -> Result<Trace, Reason> {
        if !self.threaded.families.is_empty() {
            return Err(Reason::NotApplicable(UNKNOWN_OTHERS.to_owned()));
        }
        let mut numbers = vec![self.len() - 1];
        let mut premise = self.target.premises[0];
        while let Origin::Move { mover, rests, .. } = self.found.origin(premise) {
            numbers.push(self.numbers[&premise]);
            premise = rests.unwrap_or(mover);
        }
        numbers.reverse();
        let assumptions: Vec<Term> = self.offers.iter().map(|offer| offer.assumed).collect();
        let terms = &*context.terms;
        let mut model = match self.solver.check(DERIVATION, terms, &assumptions) {
            Answer::Sat(model) => model,
            Answer::Unsat(_) => return Err(Reason::Solver("it contradicts itself".to_owned())),
            Answer::Unknown(reason) => return Err(reason),
        };
        let instances = numbers
            .iter()
            .map(|&number| &context.instances.instances[number]);
        let steps = instances.map(|instance| Step {
            state: model.values(terms, &instance.state),
            inputs: model.values(terms, &instance.inputs),
        });
        Ok(Trace {
            property,
            steps: steps.collect(),
        })
    }
}
