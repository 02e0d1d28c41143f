//! Abstract reachability with environment transitions (Fig. 7).
//!
//! The abstract states of a thread are closed under its own moves, and under those of each other thread from states that agree with its
//! own. A solver finds what is missing, one concrete step after the other: the abstraction is the best one for the precision. The steps are kept,
//! since under a finer precision most of them lead to abstract states that would be looked for again.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Backend, Measured, Model, QueryStatistics, Workload};
use system::budget::Budget;
use system::term::{Binary, Node, Sort, Term, Terms};
use system::transition_system::Reason;

use crate::abstraction::{AbstractState, Found, Origin, Precision, StateId};
use crate::moves::{MoveId, Moves};
use crate::threads::ThreadedSystem;
use crate::witnesses::{Witness, Witnesses};

/// Names of the queries.
const INITIAL: &str = "modular initial states";
const OWN: &str = "modular own moves";
const ENVIRONMENT: &str = "modular environment";
const PROPERTY: &str = "modular property";

/// Each takes about 10 kB, and more of them are found faster than proofs that need them.
const MOST_STEPS: usize = 20_000;

/// The abstract states of a precision.
#[derive(Debug)]
pub(crate) struct Explored {
    /// Up to the first violation.
    pub(crate) found: Found,
    /// What they admit.
    pub(crate) violation: Option<Violation>,
}

/// That states of all threads agree on a bad state.
#[derive(Clone, Debug)]
pub(crate) struct Violation {
    /// The violated property.
    pub(crate) property: usize,
    /// The part of the disjunction `bad` that holds.
    pub(crate) because: Term,
    /// A state of each thread.
    pub(crate) states: Vec<StateId>,
}

/// Finds the abstract states of a precision.
pub(crate) struct Reachability {
    solver: Measured,
    budget: Budget,
    /// Assumed where a state is initial.
    initial: Term,
    /// Assumed where a property is violated.
    bad: Term,
    /// Assumed where a move is made.
    moves: Vec<Term>,
    /// What stands for tracked terms after a move.
    after: FxHashMap<Term, Term>,
}

impl Reachability {
    pub(crate) fn new(
        threaded: &ThreadedSystem,
        terms: &mut Terms,
        moves: &Moves,
        backend: Backend,
        budget: &Budget,
    ) -> Self {
        let system = &threaded.system;
        let mut solver = Measured::new(backend.solver(budget, Workload::ShortQueries));
        for &constraint in &system.invariant_constraints {
            solver.assert(terms, constraint);
        }
        let [initial, bad] = ["initial", "bad"].map(|name| terms.symbol(name, Sort::Bool));
        for formula in system.initial(terms) {
            imply(&mut solver, terms, initial, formula);
        }
        let some_bad = terms.or_all(system.properties.iter().map(|property| property.bad));
        imply(&mut solver, terms, bad, some_bad);
        let moves = moves.all().map(|id| {
            let made = terms.symbol("move", Sort::Bool);
            imply(&mut solver, terms, made, moves.guard(id));
            made
        });
        Self {
            moves: moves.collect(),
            solver,
            budget: budget.clone(),
            initial,
            bad,
            after: FxHashMap::default(),
        }
    }

    pub(crate) fn statistics(&self) -> &QueryStatistics {
        self.solver.statistics()
    }

    /// The states of all threads.
    ///
    /// # Errors
    /// The budget is exhausted.
    pub(crate) fn explore(
        &mut self,
        threaded: &ThreadedSystem,
        terms: &mut Terms,
        moves: &mut Moves,
        precision: &Precision,
        witnesses: &mut Witnesses,
    ) -> Result<Explored, Reason> {
        for thread in 0..threaded.threads.len() {
            for term in precision.of(thread) {
                self.follow(terms, moves, term);
            }
        }
        Exploration::new(self, threaded, terms, moves, precision, witnesses).run()
    }

    /// Tells the solver what a term is after each move.
    fn follow(&mut self, terms: &mut Terms, moves: &mut Moves, term: Term) {
        if self.after.contains_key(&term) {
            return;
        }
        let after = terms.symbol("after", terms.sort(term));
        self.after.insert(term, after);
        let unchanged = terms.equal(after, term);
        imply(&mut self.solver, terms, self.initial, unchanged);
        for id in moves.all() {
            let value = moves.after(terms, id, term);
            let changed = terms.equal(after, value);
            imply(&mut self.solver, terms, self.moves[id.0], changed);
        }
    }
}

/// What holds if a symbol does.
fn imply(solver: &mut Measured, terms: &mut Terms, symbol: Term, formula: Term) {
    let implication = terms.implies(symbol, formula);
    solver.assert(terms, implication);
}

/// The states of one precision while they are found.
struct Exploration<'a> {
    reachability: &'a mut Reachability,
    threaded: &'a ThreadedSystem,
    terms: &'a mut Terms,
    moves: &'a mut Moves,
    precision: &'a Precision,
    witnesses: &'a mut Witnesses,
    found: Found,
    threads: Vec<Known>,
    /// The moves of a thread that may lead to other states of one, and what is assumed where some of them is made; by both threads.
    relevant: FxHashMap<(usize, usize), (Vec<MoveId>, Term)>,
    /// States that nothing was concluded from so far.
    open: VecDeque<StateId>,
    /// By states that were not found yet: the witnesses that have them as premises, each with the thread whose states it adds to.
    waiting: FxHashMap<AbstractState, Vec<(usize, usize)>>,
}

/// What is known of the states of a thread.
struct Known {
    /// Assumed where the state after a move is not among them.
    missing: Term,
    /// Assumed where the state is among them.
    all: Term,
    /// Assumed where it is one of those that were found in the last round, if there were any.
    recent: Option<Term>,
    /// Those found in this round.
    fresh: Vec<StateId>,
}

impl<'a> Exploration<'a> {
    fn new(
        reachability: &'a mut Reachability,
        threaded: &'a ThreadedSystem,
        terms: &'a mut Terms,
        moves: &'a mut Moves,
        precision: &'a Precision,
        witnesses: &'a mut Witnesses,
    ) -> Self {
        let all = 0..threaded.threads.len();
        let threads = all.clone().map(|_| Known {
            missing: terms.symbol("missing", Sort::Bool),
            all: terms.bool(false),
            recent: None,
            fresh: Vec::new(),
        });
        let threads = threads.collect();
        let mut relevant = FxHashMap::default();
        for thread in all.clone() {
            let tracked: Vec<Term> = precision.of(thread).collect();
            let cone = terms.cone(&tracked);
            let support: FxHashSet<Term> = cone
                .into_iter()
                .filter(|&term| terms.is_symbol(term))
                .collect();
            for mover in all.clone() {
                let moves = moves.of(mover).filter(|&id| moves.writes(id, &support));
                let moves: Vec<MoveId> = moves.collect();
                if !moves.is_empty() {
                    let some = terms.symbol("moves", Sort::Bool);
                    let made = moves.iter().map(|id| reachability.moves[id.0]);
                    let made = terms.or_all(made);
                    imply(&mut reachability.solver, terms, some, made);
                    relevant.insert((mover, thread), (moves, some));
                }
            }
        }
        Self {
            reachability,
            threaded,
            terms,
            moves,
            precision,
            witnesses,
            found: Found::default(),
            threads,
            relevant,
            open: VecDeque::new(),
            waiting: FxHashMap::default(),
        }
    }

    fn run(mut self) -> Result<Explored, Reason> {
        let all = 0..self.threads.len();
        for witness in 0..self.witnesses.len() {
            self.conclude_all(witness);
        }
        self.close();
        for thread in all.clone() {
            let assumptions = [self.reachability.initial, self.threads[thread].missing];
            while self.look(INITIAL, &assumptions, None)? {}
        }
        loop {
            let news: Vec<bool> = all.clone().map(|thread| self.publish(thread)).collect();
            if !news.contains(&true) {
                return Ok(Explored {
                    found: self.found,
                    violation: None,
                });
            }
            if let Some(violation) = self.violation()? {
                return Ok(Explored {
                    found: self.found,
                    violation: Some(violation),
                });
            }
            for mover in all.clone() {
                for thread in all.clone() {
                    self.step(mover, thread)?;
                }
            }
        }
    }

    /// Lets the states of a thread that were found in a round be premises in the next one; whether there are any.
    fn publish(&mut self, thread: usize) -> bool {
        let known = &mut self.threads[thread];
        known.recent = None;
        let fresh = std::mem::take(&mut known.fresh);
        if fresh.is_empty() {
            return false;
        }
        let mut cubes = Vec::with_capacity(fresh.len());
        for id in fresh {
            let state = self.found.state(id);
            let conditions = state.conditions(self.terms, self.precision, |term| term);
            cubes.push(self.terms.and_all(conditions));
        }
        let solver = &mut self.reachability.solver;
        let terms = &mut *self.terms;
        let [recent, all] = ["recent", "all"].map(|name| terms.symbol(name, Sort::Bool));
        let some = terms.or_all(cubes);
        imply(solver, terms, recent, some);
        let either = terms.or(known.all, recent);
        imply(solver, terms, all, either);
        known.recent = Some(recent);
        known.all = all;
        true
    }

    /// Finds the states of a thread that moves of one lead to from states of which some were found in the last round.
    fn step(&mut self, mover: usize, thread: usize) -> Result<(), Reason> {
        let Some((moves, made)) = self.relevant.get(&(mover, thread)) else {
            return Ok(());
        };
        let (moves, made) = (moves.clone(), *made);
        let [who, whom] = [mover, thread].map(|thread| &self.threads[thread]);
        let missing = whom.missing;
        let (name, premises) = match mover == thread {
            true => (OWN, vec![who.recent.map(|recent| [recent, recent])]),
            false => (
                ENVIRONMENT,
                vec![
                    who.recent.map(|recent| [recent, whom.all]),
                    whom.recent.map(|recent| [who.all, recent]),
                ],
            ),
        };
        for [first, second] in premises.into_iter().flatten() {
            let assumptions = [first, second, made, missing];
            while self.look(name, &assumptions, Some(&moves))? {}
        }
        Ok(())
    }

    /// Finds a step that leads out of the states found so far: by one of these moves of a thread, or from nowhere into an initial state.
    fn look(
        &mut self,
        name: &'static str,
        assumptions: &[Term],
        moves: Option<&[MoveId]>,
    ) -> Result<bool, Reason> {
        if let Some(reason) = self.reachability.budget.exhausted() {
            return Err(reason);
        }
        if self.witnesses.len() >= MOST_STEPS {
            let reason = format!("more than {MOST_STEPS} steps between abstract states");
            return Err(Reason::NotApplicable(reason));
        }
        let Reachability {
            solver,
            moves: made,
            ..
        } = &mut *self.reachability;
        let terms = &*self.terms;
        let witness = match solver.check(name, terms, assumptions) {
            Answer::Sat(mut model) => {
                let by = match moves {
                    None => None,
                    Some(moves) => {
                        let mut moves = moves.iter().copied();
                        let by = moves.find(|id| model.holds(terms, made[id.0]));
                        Some(by.ok_or_else(wrong_model)?)
                    }
                };
                Witness::new(&self.threaded.system, terms, &mut model, by)
            }
            Answer::Unsat(_) => return Ok(false),
            Answer::Unknown(reason) => return Err(reason),
        };
        let before = self.found.len();
        let number = self.witnesses.push(witness);
        self.conclude_all(number);
        self.close();
        match self.found.len() > before {
            true => Ok(true),
            false => Err(wrong_model()),
        }
    }

    /// Adds what a witness leads to from states that were found.
    fn conclude_all(&mut self, witness: usize) {
        for thread in 0..self.threads.len() {
            self.conclude(witness, thread);
        }
    }

    /// Adds what witnesses lead to from states that were added, until there is no more.
    fn close(&mut self) {
        while let Some(id) = self.open.pop_front() {
            let waiting = self.waiting.remove(self.found.state(id));
            for (witness, thread) in waiting.into_iter().flatten() {
                self.conclude(witness, thread);
            }
        }
    }

    /// Adds the state of a thread that a witness leads to, or lets it wait for the first of its premises that was not found.
    fn conclude(&mut self, number: usize, thread: usize) {
        let (terms, precision) = (&mut *self.terms, self.precision);
        let witness = self.witnesses.get(number);
        let origin = match witness.by {
            None => Origin::Initial,
            Some(by) => {
                let mover = self.moves.thread(by);
                let mut premise = |thread: usize| {
                    let state = witness.before(terms, precision, thread);
                    self.found.id(&state).ok_or(state)
                };
                let premises = premise(mover).and_then(|moves| match mover == thread {
                    true => Ok((moves, None)),
                    false => Ok((moves, Some(premise(thread)?))),
                });
                match premises {
                    Ok((mover, rests)) => Origin::Move { mover, by, rests },
                    Err(missing) => {
                        let waiting = self.waiting.entry(missing).or_default();
                        waiting.push((number, thread));
                        return;
                    }
                }
            }
        };
        let state = witness.after(terms, self.moves, precision, thread);
        let Reachability { solver, after, .. } = &mut *self.reachability;
        if self.found.id(&state).is_some() {
            return;
        }
        let mut conditions = state.conditions(terms, precision, |term| after[&term]);
        let known = &mut self.threads[thread];
        conditions.push(known.missing);
        let all = terms.and_all(conditions);
        let excluded = terms.not(all);
        solver.assert(terms, excluded);
        let id = self.found.add(state, origin);
        known.fresh.push(id);
        self.open.push_back(id);
    }

    /// A property that states found so far violate together.
    fn violation(&mut self) -> Result<Option<Violation>, Reason> {
        let threads = self.threads.iter().map(|known| known.all);
        let assumptions: Vec<Term> = threads.chain([self.reachability.bad]).collect();
        let terms = &*self.terms;
        let solver = &mut self.reachability.solver;
        let mut model = match solver.check(PROPERTY, terms, &assumptions) {
            Answer::Sat(model) => model,
            Answer::Unsat(_) => return Ok(None),
            Answer::Unknown(reason) => return Err(reason),
        };
        let system = &self.threaded.system;
        let mut properties = system.properties.iter();
        let property = properties
            .position(|property| model.holds(terms, property.bad))
            .ok_or_else(wrong_model)?;
        let because = holding_disjunct(terms, &mut model, system.properties[property].bad);
        let mut witness = Witness::new(system, terms, &mut model, None);
        let states = (0..self.threads.len()).map(|thread| {
            let state = witness.before(terms, self.precision, thread);
            self.found.id(&state)
        });
        let states: Option<Vec<StateId>> = states.collect();
        Ok(Some(Violation {
            property,
            because,
            states: states.ok_or_else(wrong_model)?,
        }))
    }
}

/// A part of a disjunction that holds, if it does.
fn holding_disjunct(terms: &Terms, model: &mut Model<'_>, disjunction: Term) -> Term {
    let mut term = disjunction;
    while let Node::Binary(Binary::Or, a, b) = terms.node(term) {
        term = match model.holds(terms, a) {
            true => a,
            false => b,
        };
    }
    term
}

fn wrong_model() -> Reason {
    Reason::Solver("wrong model: it is no abstract step".to_owned())
}
