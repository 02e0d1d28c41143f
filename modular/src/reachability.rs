//! Abstract reachability with environment transitions (Fig. 7).
//!
//! The abstract states of a thread are closed under its own moves, and under those of each other thread from states that agree with its
//! own. A solver finds what is missing, one concrete step after the other: the abstraction is the best one for the precision.

use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Backend, Measured, Model, QueryStatistics, Workload};
use system::budget::Budget;
use system::term::{Sort, Term, Terms};
use system::transition_system::Reason;

use crate::abstraction::{AbstractState, Found, Origin, Precision, StateId};
use crate::moves::{MoveId, Moves};
use crate::threads::ThreadedSystem;

/// Names of the queries.
const INITIAL: &str = "modular initial states";
const OWN: &str = "modular own moves";
const ENVIRONMENT: &str = "modular environment";
const PROPERTY: &str = "modular property";

/// The abstract states of a precision.
#[derive(Debug)]
pub(crate) struct Explored {
    /// Up to the first violation.
    pub(crate) found: Found,
    /// A violated property, and a state of each thread that admits it together.
    pub(crate) violation: Option<(usize, Vec<StateId>)>,
}

/// Finds abstract states. The solver serves all precisions in turn.
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
    ) -> Result<Explored, Reason> {
        for thread in 0..threaded.threads.len() {
            for term in precision.of(thread) {
                self.follow(terms, moves, term);
            }
        }
        Exploration::new(self, threaded, terms, moves, precision).run()
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

/// The states of one precision while they are found. What is assumed holds in this exploration alone.
struct Exploration<'a> {
    reachability: &'a mut Reachability,
    properties: Vec<Term>,
    terms: &'a mut Terms,
    precision: &'a Precision,
    found: Found,
    threads: Vec<Known>,
    /// The moves of a thread that may lead to other states of one, and what is assumed where some of them is made; by both threads.
    relevant: FxHashMap<(usize, usize), (Vec<MoveId>, Term)>,
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

/// Which clause of the proof rule a state is looked for by.
#[derive(Clone, Copy)]
struct Step {
    /// Who moves.
    mover: usize,
    /// Whose states may be missing.
    thread: usize,
}

impl<'a> Exploration<'a> {
    fn new(
        reachability: &'a mut Reachability,
        threaded: &'a ThreadedSystem,
        terms: &'a mut Terms,
        moves: &Moves,
        precision: &'a Precision,
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
        let properties = threaded.system.properties.iter();
        Self {
            properties: properties.map(|property| property.bad).collect(),
            reachability,
            terms,
            precision,
            found: Found::default(),
            threads,
            relevant,
        }
    }

    fn run(mut self) -> Result<Explored, Reason> {
        let all = 0..self.threads.len();
        for thread in all.clone() {
            self.initial(thread)?;
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
                    self.step(Step { mover, thread })?;
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

    fn initial(&mut self, thread: usize) -> Result<(), Reason> {
        let assumptions = [self.reachability.initial, self.threads[thread].missing];
        while self.look(INITIAL, &assumptions, thread, |_| Some(Origin::Initial))? {}
        Ok(())
    }

    /// Finds the states that moves lead to from those of which some were found in the last round.
    fn step(&mut self, step: Step) -> Result<(), Reason> {
        let Step { mover, thread } = step;
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
            let origin = |evaluation: &mut Evaluation<'_, '_>| {
                Some(Origin::Move {
                    by: evaluation.made(&moves)?,
                    rests: match mover == thread {
                        true => None,
                        false => Some(evaluation.state(thread)?),
                    },
                    mover: evaluation.state(mover)?,
                })
            };
            while self.look(name, &assumptions, thread, origin)? {}
        }
        Ok(())
    }

    /// Finds one state of a thread.
    fn look(
        &mut self,
        name: &'static str,
        assumptions: &[Term],
        thread: usize,
        origin: impl FnOnce(&mut Evaluation<'_, '_>) -> Option<Origin>,
    ) -> Result<bool, Reason> {
        if let Some(reason) = self.reachability.budget.exhausted() {
            return Err(reason);
        }
        let Self {
            reachability,
            terms,
            precision,
            found,
            threads,
            ..
        } = self;
        let Reachability {
            solver,
            moves,
            after,
            ..
        } = &mut **reachability;
        let (state, origin) = match solver.check(name, terms, assumptions) {
            Answer::Sat(model) => {
                let mut evaluation = Evaluation {
                    model,
                    terms,
                    precision,
                    found,
                    moves,
                };
                let state = evaluation.abstraction(thread, |term| after[&term]);
                let origin = origin(&mut evaluation);
                (state, origin.ok_or_else(wrong_model)?)
            }
            Answer::Unsat(_) => return Ok(false),
            Answer::Unknown(reason) => return Err(reason),
        };
        let mut conditions = state.conditions(terms, precision, |term| after[&term]);
        let id = found.add(state, origin).ok_or_else(wrong_model)?;
        let known = &mut threads[thread];
        known.fresh.push(id);
        conditions.push(known.missing);
        let all = terms.and_all(conditions);
        let excluded = terms.not(all);
        solver.assert(terms, excluded);
        Ok(true)
    }

    fn violation(&mut self) -> Result<Option<(usize, Vec<StateId>)>, Reason> {
        let threads = self.threads.iter().map(|known| known.all);
        let assumptions: Vec<Term> = threads.chain([self.reachability.bad]).collect();
        let Self {
            reachability,
            terms,
            precision,
            found,
            threads,
            properties,
            ..
        } = self;
        let Reachability { solver, moves, .. } = &mut **reachability;
        match solver.check(PROPERTY, terms, &assumptions) {
            Answer::Sat(model) => {
                let mut evaluation = Evaluation {
                    model,
                    terms,
                    precision,
                    found,
                    moves,
                };
                let mut properties = properties.iter();
                let violated = properties
                    .position(|&bad| evaluation.model.holds(evaluation.terms, bad))
                    .ok_or_else(wrong_model)?;
                let states = (0..threads.len()).map(|thread| evaluation.state(thread));
                let states: Option<Vec<StateId>> = states.collect();
                Ok(Some((violated, states.ok_or_else(wrong_model)?)))
            }
            Answer::Unsat(_) => Ok(None),
            Answer::Unknown(reason) => Err(reason),
        }
    }
}

fn wrong_model() -> Reason {
    Reason::Solver("wrong model: it is no abstract step".to_owned())
}

/// A model of a step.
struct Evaluation<'a, 'm> {
    model: Model<'m>,
    terms: &'a Terms,
    precision: &'a Precision,
    found: &'a Found,
    moves: &'a [Term],
}

impl Evaluation<'_, '_> {
    /// The abstract state of a thread, where `term` gives what stands for tracked terms.
    fn abstraction(&mut self, thread: usize, term: impl Fn(Term) -> Term) -> AbstractState {
        let tracked: Vec<Term> = self.precision.of(thread).map(term).collect();
        AbstractState {
            thread,
            values: self.model.values(self.terms, &tracked),
        }
    }

    /// The state of a thread before the step.
    fn state(&mut self, thread: usize) -> Option<StateId> {
        let state = self.abstraction(thread, |term| term);
        self.found.id(&state)
    }

    /// Which of these moves is made.
    fn made(&mut self, moves: &[MoveId]) -> Option<MoveId> {
        let mut moves = moves.iter().copied();
        moves.find(|id| self.model.holds(self.terms, self.moves[id.0]))
    }
}
