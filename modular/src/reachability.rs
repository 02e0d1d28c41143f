//! Abstract reachability with environment transitions (Fig. 7).
//!
//! The abstract states of a thread are closed under its own moves, and under those of each other thread from states that agree with its
//! own. A solver finds what is missing, one concrete step after the other: the abstraction is the best one for the precision. The steps are kept,
//! since under a finer precision most of them lead to abstract states that would be looked for again.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Backend, Measured, Model, QueryStatistics, Workload};
use system::budget::Budget;
use system::term::{Binary, Node, Sort, Term, Terms, Value};
use system::transition_system::Reason;

use crate::abstraction::{AbstractState, Found, Origin, Precision, StateId};
use crate::context::Context;
use crate::moves::{MoveId, Moves};
use crate::threads::ThreadedSystem;
use crate::witnesses::Witness;

/// Names of the queries.
const INITIAL: &str = "modular initial states";
const OWN: &str = "modular own moves";
const ENVIRONMENT: &str = "modular environment";
const PROPERTY: &str = "modular property";

/// Why an exploration does not go on.
#[derive(Debug)]
pub(crate) enum Halt {
    /// There are no more states, and none violates anything.
    Closed,
    /// A property is violated.
    Violated(Violation),
    /// A variable gets too many values that are not expected.
    Unexpected(Unexpected),
    /// So many steps were found as it may find.
    Paused,
}

/// That a variable has a value in a state that it is not known to have in any run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unexpected {
    pub(crate) state: StateId,
    pub(crate) variable: Term,
    pub(crate) value: Value,
    /// How many such values it has with this one.
    number: usize,
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

/// The steps of a system for a solver.
struct Steps {
    solver: Measured,
    /// Assumed where a state is initial.
    initial: Term,
    /// Assumed where a property is violated.
    bad: Term,
    /// Assumed where a move is made.
    moves: Vec<Term>,
    /// What stands for tracked terms after a move.
    after: FxHashMap<Term, Term>,
}

impl Steps {
    fn new(
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
            initial,
            bad,
            after: FxHashMap::default(),
        }
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

/// The abstract states of one precision while they are found.
pub(crate) struct Exploration<'a> {
    threaded: &'a ThreadedSystem,
    precision: &'a Precision,
    budget: &'a Budget,
    steps: Steps,
    found: Found,
    /// By variables: values that are not expected.
    strange: FxHashMap<Term, FxHashSet<Value>>,
    /// Values that are too many.
    unexpected: VecDeque<Unexpected>,
    threads: Vec<Known>,
    /// The moves of a thread that may lead to other states of one, and what is assumed where some of them is made; by both threads.
    relevant: FxHashMap<(usize, usize), (Vec<MoveId>, Term)>,
    /// States that nothing was concluded from so far.
    open: VecDeque<StateId>,
    /// By states that were not found yet: the witnesses that have them as premises, each with the thread whose states it adds to.
    waiting: FxHashMap<AbstractState, Vec<(usize, usize)>>,
    /// What is left of this round.
    tasks: VecDeque<Task>,
}

/// To find the states of a thread that the solver knows of and that were not found yet.
#[derive(Clone, Copy, Debug)]
enum Task {
    /// Those that are initial, of this thread.
    Initial(usize),
    /// Those that moves of a thread lead to, of another one or itself, from states of which some were found in the last round.
    Moves(usize, usize),
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
    /// Begins with what is known of the steps between concrete states.
    pub(crate) fn new(
        threaded: &'a ThreadedSystem,
        precision: &'a Precision,
        context: &mut Context<'_>,
        backend: Backend,
        budget: &'a Budget,
    ) -> Self {
        let Context { terms, moves, .. } = context;
        let mut steps = Steps::new(threaded, terms, moves, backend, budget);
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
            for &term in &tracked {
                steps.follow(terms, moves, term);
            }
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
                    let made = moves.iter().map(|id| steps.moves[id.0]);
                    let made = terms.or_all(made);
                    imply(&mut steps.solver, terms, some, made);
                    relevant.insert((mover, thread), (moves, some));
                }
            }
        }
        let mut exploration = Self {
            threaded,
            precision,
            budget,
            steps,
            found: Found::default(),
            strange: FxHashMap::default(),
            unexpected: VecDeque::new(),
            threads,
            relevant,
            open: VecDeque::new(),
            waiting: FxHashMap::default(),
            tasks: all.map(Task::Initial).collect(),
        };
        for witness in 0..context.witnesses.len() {
            exploration.conclude_all(context, witness);
        }
        exploration.close(context);
        exploration
    }

    pub(crate) fn statistics(&self) -> &QueryStatistics {
        self.steps.solver.statistics()
    }

    /// The states found so far.
    pub(crate) fn found(&self) -> &Found {
        &self.found
    }

    /// Goes on, until there are so many steps between concrete states.
    ///
    /// # Errors
    /// The budget is exhausted.
    pub(crate) fn go_on(
        &mut self,
        context: &mut Context<'_>,
        most_steps: usize,
    ) -> Result<Halt, Reason> {
        loop {
            while let Some(unexpected) = self.unexpected.pop_front() {
                let Unexpected {
                    variable, number, ..
                } = unexpected;
                if context.expected.are_too_many(variable, number) {
                    return Ok(Halt::Unexpected(unexpected));
                }
            }
            if context.witnesses.len() >= most_steps {
                return Ok(Halt::Paused);
            }
            if let Some(&task) = self.tasks.front() {
                if self.is_done(context, task, most_steps)? {
                    self.tasks.pop_front();
                }
                continue;
            }
            let all = 0..self.threads.len();
            let news = all
                .clone()
                .map(|thread| self.publish(context.terms, thread));
            let news: Vec<bool> = news.collect();
            if !news.contains(&true) {
                return Ok(Halt::Closed);
            }
            if let Some(violation) = self.violation(context.terms)? {
                return Ok(Halt::Violated(violation));
            }
            let pairs = all.clone().flat_map(|mover| {
                let all = all.clone();
                all.map(move |thread| Task::Moves(mover, thread))
            });
            self.tasks.extend(pairs);
        }
    }

    /// Lets the states of a thread that were found in a round be premises in the next one; whether there are any.
    fn publish(&mut self, terms: &mut Terms, thread: usize) -> bool {
        let known = &mut self.threads[thread];
        known.recent = None;
        let fresh = std::mem::take(&mut known.fresh);
        if fresh.is_empty() {
            return false;
        }
        let mut cubes = Vec::with_capacity(fresh.len());
        for id in fresh {
            let state = self.found.state(id);
            let conditions = state.conditions(terms, self.precision, |term| term);
            cubes.push(terms.and_all(conditions));
        }
        let solver = &mut self.steps.solver;
        let [recent, all] = ["recent", "all"].map(|name| terms.symbol(name, Sort::Bool));
        let some = terms.or_all(cubes);
        imply(solver, terms, recent, some);
        let either = terms.or(known.all, recent);
        imply(solver, terms, all, either);
        known.recent = Some(recent);
        known.all = all;
        true
    }

    /// Works on a task until it is done, unless there are too many steps or values before.
    fn is_done(
        &mut self,
        context: &mut Context<'_>,
        task: Task,
        most_steps: usize,
    ) -> Result<bool, Reason> {
        let (name, moves, assumed) = match task {
            Task::Initial(thread) => {
                let missing = self.threads[thread].missing;
                (INITIAL, None, vec![vec![self.steps.initial, missing]])
            }
            Task::Moves(mover, thread) => {
                let Some((moves, made)) = self.relevant.get(&(mover, thread)) else {
                    return Ok(true);
                };
                let [who, whom] = [mover, thread].map(|thread| &self.threads[thread]);
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
                let premises = premises.into_iter().flatten();
                let assumed =
                    premises.map(|[first, second]| vec![first, second, *made, whom.missing]);
                (name, Some(moves.clone()), assumed.collect())
            }
        };
        for assumptions in assumed {
            while self.look(context, name, &assumptions, moves.as_deref())? {
                if !self.unexpected.is_empty() || context.witnesses.len() >= most_steps {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Finds a step that leads out of the states found so far: by one of these moves of a thread, or from nowhere into an initial state.
    fn look(
        &mut self,
        context: &mut Context<'_>,
        name: &'static str,
        assumptions: &[Term],
        moves: Option<&[MoveId]>,
    ) -> Result<bool, Reason> {
        self.budget.exhausted().map_or(Ok(()), Err)?;
        let Steps {
            solver,
            moves: made,
            ..
        } = &mut self.steps;
        let terms = &*context.terms;
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
        let number = context.witnesses.push(witness);
        self.conclude_all(context, number);
        self.close(context);
        match self.found.len() > before {
            true => Ok(true),
            false => Err(wrong_model()),
        }
    }

    /// Adds what a witness leads to from states that were found.
    fn conclude_all(&mut self, context: &mut Context<'_>, witness: usize) {
        for thread in 0..self.threads.len() {
            self.conclude(context, witness, thread);
        }
    }

    /// Adds what witnesses lead to from states that were added, until there is no more.
    fn close(&mut self, context: &mut Context<'_>) {
        while let Some(id) = self.open.pop_front() {
            let waiting = self.waiting.remove(self.found.state(id));
            for (witness, thread) in waiting.into_iter().flatten() {
                self.conclude(context, witness, thread);
            }
        }
    }

    /// Adds the state of a thread that a witness leads to, or lets it wait for the first of its premises that was not found.
    fn conclude(&mut self, context: &mut Context<'_>, number: usize, thread: usize) {
        let Context {
            terms,
            moves,
            witnesses,
            expected,
            ..
        } = context;
        let precision = self.precision;
        let witness = witnesses.get(number);
        let origin = match witness.by {
            None => Origin::Initial,
            Some(by) => {
                let mover = moves.thread(by);
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
        let state = witness.after(terms, moves, precision, thread);
        if self.found.id(&state).is_some() {
            return;
        }
        let Steps { solver, after, .. } = &mut self.steps;
        let mut conditions = state.conditions(terms, precision, |term| after[&term]);
        let known = &mut self.threads[thread];
        conditions.push(known.missing);
        let all = terms.and_all(conditions);
        let excluded = terms.not(all);
        solver.assert(terms, excluded);
        // Of places there are few.
        let tracked = precision.tracked[thread].iter().zip(&state.values[1..]);
        let strange = tracked.filter(|&(&term, &value)| expected.is_strange(term, value));
        let strange: Vec<(Term, Value)> = strange.map(|(&term, &value)| (term, value)).collect();
        let id = self.found.add(state, origin);
        known.fresh.push(id);
        self.open.push_back(id);
        for (variable, value) in strange {
            let values = self.strange.entry(variable).or_default();
            if values.insert(value) && expected.are_too_many(variable, values.len()) {
                self.unexpected.push_back(Unexpected {
                    state: id,
                    variable,
                    value,
                    number: values.len(),
                });
            }
        }
    }

    /// A property that states found so far violate together.
    fn violation(&mut self, terms: &Terms) -> Result<Option<Violation>, Reason> {
        let threads = self.threads.iter().map(|known| known.all);
        let assumptions: Vec<Term> = threads.chain([self.steps.bad]).collect();
        let solver = &mut self.steps.solver;
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
