//! Abstract reachability with environment transitions (Fig. 7).
//!
//! The abstract states of a thread are closed under its own moves, and under those of each other thread from states that agree with its
//! own. Evaluation finds most of what is missing (`simulation`), a solver the rest, one concrete step after the other: the abstraction is the
//! best one for the precision. The solver's steps are kept, since under a finer precision most of them lead to abstract states that would be
//! looked for again.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Backend, Model, QueryStatistics};
use system::budget::Budget;
use system::term::{Binary, Node, Term, Terms, Value};
use system::transition_system::Reason;

use crate::abstraction::{AbstractState, Found, Origin, Precision, StateId};
use crate::context::Context;
use crate::moves::MoveId;
use crate::simulation::{News, Simulation};
use crate::steps::Steps;
use crate::threads::ThreadedSystem;
use crate::witnesses::Witness;

/// Names of the queries.
const INITIAL: &str = "modular initial states";
const OWN: &str = "modular own moves";
const ENVIRONMENT: &str = "modular environment";
const PROPERTY: &str = "modular property";

/// As long as there are few states, the solver is asked whenever there are so many times more, in per cent.
const FEW_STATES: usize = 100;
const GROWTH: usize = 130;

/// Why an exploration does not go on.
#[derive(Debug)]
pub(crate) enum Halt {
    /// There are no more states, and none violates anything.
    Closed,
    /// A property is violated.
    Violated(Violation),
    /// A variable gets too many values that are not expected.
    Unexpected(Unexpected),
    /// So many states were found as it may find.
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
    /// So many states, the first ones, may be premises: those of earlier rounds.
    published: usize,
    /// Whether some of the published states may violate a property, with others.
    is_unchecked: bool,
    /// So many states there were when the solver was asked last.
    asked: usize,
    /// By states that are not published: the witnesses that have them as premises, each with the thread whose states it adds to.
    waiting: FxHashMap<AbstractState, Vec<(usize, usize)>>,
    simulation: Simulation<'a>,
    /// What is left of this round.
    tasks: VecDeque<Task>,
}

/// To find states that were not found yet.
#[derive(Clone, Copy, Debug)]
enum Task {
    /// Those that are initial, of this thread.
    Initial(usize),
    /// Those to which known steps lead from this state, and those that evaluation finds.
    Follow(StateId),
    /// Those that the solver knows of, from states about which it was not asked.
    Ask,
    /// Those among these that moves of a thread lead to, of another one or itself.
    Moves(usize, usize),
}

/// What is known of the states of a thread.
struct Known {
    /// All that are published.
    all: Premise,
    /// Those that the solver is asked about now, if there are any.
    recent: Option<Premise>,
    /// Those that it was not asked about yet.
    unasked: Vec<Premise>,
    /// Those found in this round.
    fresh: Vec<StateId>,
}

/// States of a thread.
struct Premise {
    /// Assumed where the state is among them.
    symbol: Term,
    /// Where they are.
    places: BTreeSet<Value>,
}

impl<'a> Exploration<'a> {
    /// Begins with what is known of the steps between concrete states.
    pub(crate) fn new(
        threaded: &'a ThreadedSystem,
        precision: &'a Precision,
        context: &mut Context<'_>,
        (backend, budget): (Backend, &'a Budget),
    ) -> Self {
        let mut steps = Steps::new(&threaded.system, context, (backend, budget));
        let all = 0..threaded.threads.len();
        let threads = all.clone().map(|_| Known {
            all: Premise {
                symbol: context.terms.bool(false),
                places: BTreeSet::new(),
            },
            recent: None,
            unasked: Vec::new(),
            fresh: Vec::new(),
        });
        let threads = threads.collect();
        let simulation = Simulation::new(threaded, precision, context.terms, &context.moves);
        let mut relevant = FxHashMap::default();
        for thread in all.clone() {
            for term in precision.of(thread) {
                steps.follow(context, term);
            }
            for mover in all.clone() {
                let moves = simulation.relevant(&context.moves, mover, thread);
                if !moves.is_empty() {
                    let made = moves.iter().map(|id| context.symbols.moves[id.0]);
                    let made = context.terms.or_all(made);
                    let some = steps.implying(context.terms, "moves", made);
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
            published: 0,
            is_unchecked: false,
            asked: 0,
            waiting: FxHashMap::default(),
            simulation,
            tasks: all.map(Task::Initial).collect(),
        };
        for witness in 0..context.witnesses.len() {
            exploration.conclude_all(context, witness);
        }
        exploration
    }

    pub(crate) fn statistics(&self) -> &QueryStatistics {
        self.steps.statistics()
    }

    /// The states found so far.
    pub(crate) fn found(&self) -> &Found {
        &self.found
    }

    /// Goes on, until so many states were found under all precisions.
    ///
    /// # Errors
    /// The budget is exhausted.
    pub(crate) fn go_on(
        &mut self,
        context: &mut Context<'_>,
        most_states: usize,
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
            if context.states >= most_states {
                return Ok(Halt::Paused);
            }
            if let Some(&task) = self.tasks.front() {
                if self.work_on(context, task, most_states)? {
                    self.tasks.pop_front();
                }
                continue;
            }
            let all = 0..self.threads.len();
            let news = all.clone().flat_map(|thread| self.publish(context, thread));
            let news: Vec<StateId> = news.collect();
            self.published = self.found.len();
            let mut may_violate = news.iter().map(|&id| {
                let state = self.found.state(id);
                context.is_suspicious(self.threaded, state.thread, state.values[0])
            });
            let may_violate = may_violate.any(|may| may);
            let is_saturated = news.is_empty();
            self.is_unchecked |= !is_saturated;
            // A state that was found before may be bad since other threads agree with it now.
            if may_violate || is_saturated && self.is_unchecked {
                self.is_unchecked = false;
                if let Some(violation) = self.violation(context)? {
                    return Ok(Halt::Violated(violation));
                }
            }
            if is_saturated && self.threads.iter().all(|known| known.unasked.is_empty()) {
                return Ok(Halt::Closed);
            }
            self.tasks.extend(news.into_iter().map(Task::Follow));
            // Violations may be near that no example shows.
            let number = self.found.len();
            let is_early = number <= FEW_STATES && number * 100 >= self.asked * GROWTH;
            if is_saturated || is_early {
                self.asked = number;
                self.tasks.push_back(Task::Ask);
            }
        }
    }

    /// Lets the states of a thread that were found in a round be premises in the next one; gives them.
    fn publish(&mut self, context: &mut Context<'_>, thread: usize) -> Vec<StateId> {
        let known = &mut self.threads[thread];
        let fresh = std::mem::take(&mut known.fresh);
        if fresh.is_empty() {
            return fresh;
        }
        let terms = &mut *context.terms;
        let mut cubes = Vec::with_capacity(fresh.len());
        let mut places = BTreeSet::new();
        for &id in &fresh {
            let state = self.found.state(id);
            places.insert(state.values[0]);
            let conditions = state.conditions(terms, self.precision, |_, term| term);
            cubes.push(terms.and_all(conditions));
        }
        let steps = &mut self.steps;
        let some = terms.or_all(cubes);
        let symbol = steps.implying(terms, "published", some);
        let either = terms.or(known.all.symbol, symbol);
        known.all.symbol = steps.implying(terms, "all", either);
        known.all.places.extend(&places);
        known.unasked.push(Premise { symbol, places });
        fresh
    }

    /// Lets the solver be asked about the states of a thread that it was not asked about, if there are any.
    fn ask(&mut self, context: &mut Context<'_>, thread: usize) {
        let known = &mut self.threads[thread];
        let unasked = std::mem::take(&mut known.unasked);
        known.recent = None;
        if unasked.is_empty() {
            return;
        }
        let terms = &mut *context.terms;
        let some = terms.or_all(unasked.iter().map(|premise| premise.symbol));
        known.recent = Some(Premise {
            symbol: self.steps.implying(terms, "recent", some),
            places: unasked
                .into_iter()
                .flat_map(|premise| premise.places)
                .collect(),
        });
    }

    /// What is assumed where moves of a thread lead to states of one that were not found, from states that the solver is asked about now.
    fn questions(&self, context: &Context<'_>, mover: usize, thread: usize) -> Vec<Vec<Term>> {
        let Some((moves, made)) = self.relevant.get(&(mover, thread)) else {
            return Vec::new();
        };
        let [who, whom] = [mover, thread].map(|thread| &self.threads[thread]);
        let recent = who.recent.iter();
        let premises: Vec<[&Premise; 2]> = match mover == thread {
            true => recent.map(|recent| [recent, recent]).collect(),
            false => {
                let moving = recent.map(|recent| [recent, &whom.all]);
                let resting = whom.recent.iter().map(|recent| [&who.all, recent]);
                moving.chain(resting).collect()
            }
        };
        let can_move = |who: &Premise| {
            let mut moves = moves.iter();
            moves.any(|&by| context.machine.may_start(by, &who.places))
        };
        let premises = premises.into_iter().filter(|[who, _]| can_move(who));
        let missing = context.symbols.missing[thread];
        let assumed = premises.map(|[who, whom]| vec![who.symbol, whom.symbol, *made, missing]);
        assumed.collect()
    }

    /// Works on a task until it is done, unless there are too many states or values before; whether it is done.
    fn work_on(
        &mut self,
        context: &mut Context<'_>,
        task: Task,
        most_states: usize,
    ) -> Result<bool, Reason> {
        let (name, moves, assumed) = match task {
            Task::Initial(thread) => {
                let symbols = &context.symbols;
                let missing = symbols.missing[thread];
                (INITIAL, None, vec![vec![symbols.initial, missing]])
            }
            Task::Follow(id) => {
                self.budget.exhausted().map_or(Ok(()), Err)?;
                let waiting = self.waiting.remove(self.found.state(id));
                for (witness, thread) in waiting.into_iter().flatten() {
                    self.conclude(context, witness, thread);
                }
                for news in self.simulation.news_from(context, &self.found, id) {
                    self.add(context, news);
                }
                return Ok(true);
            }
            Task::Ask => {
                let all = 0..self.threads.len();
                for thread in all.clone() {
                    self.ask(context, thread);
                }
                let pairs = all.clone().flat_map(|mover| {
                    let all = all.clone();
                    all.map(move |thread| Task::Moves(mover, thread))
                });
                self.tasks.extend(pairs);
                return Ok(true);
            }
            Task::Moves(mover, thread) => {
                let Some((moves, _)) = self.relevant.get(&(mover, thread)) else {
                    return Ok(true);
                };
                let name = match mover == thread {
                    true => OWN,
                    false => ENVIRONMENT,
                };
                (
                    name,
                    Some(moves.clone()),
                    self.questions(context, mover, thread),
                )
            }
        };
        for assumptions in assumed {
            while self.look(context, name, &assumptions, moves.as_deref())? {
                if !self.unexpected.is_empty() || context.states >= most_states {
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
        let terms = &*context.terms;
        let made: Option<Vec<(MoveId, Term)>> = moves.map(|moves| {
            let moves = moves.iter();
            moves.map(|&id| (id, context.symbols.moves[id.0])).collect()
        });
        let witness = match self.steps.check(name, terms, assumptions) {
            Answer::Sat(mut model) => {
                let by = match made {
                    None => None,
                    Some(made) => {
                        let by = made.into_iter().find(|&(_, made)| model.holds(terms, made));
                        Some(by.ok_or_else(wrong_model)?.0)
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

    /// Adds the state of a thread that a witness leads to, or lets it wait for the first of its premises that is not published.
    fn conclude(&mut self, context: &mut Context<'_>, number: usize, thread: usize) {
        let Context {
            terms,
            moves,
            witnesses,
            ..
        } = context;
        let precision = self.precision;
        let witness = witnesses.get(number);
        if witness
            .by
            .is_some_and(|by| !self.simulation.affects(thread, by))
        {
            return;
        }
        let origin = match witness.by {
            None => Origin::Initial,
            Some(by) => {
                let mover = moves.thread(by);
                let mut premise = |thread: usize| {
                    let state = witness.before(terms, precision, thread);
                    let id = self.found.id(&state).filter(|&id| id < self.published);
                    id.ok_or(state)
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
        if self.found.id(&state).is_none() {
            let example = witness.next(&self.threaded.system, terms, moves);
            let news = News {
                state,
                origin,
                example,
            };
            self.add(context, news);
        }
    }

    /// Adds a state, if it was not found before.
    fn add(&mut self, context: &mut Context<'_>, news: News) {
        let News {
            state,
            origin,
            example,
        } = news;
        if self.found.id(&state).is_some() {
            return;
        }
        let Context {
            terms,
            expected,
            symbols,
            states,
            ..
        } = context;
        *states += 1;
        let after = |terms: &mut Terms, term: Term| symbols.after(terms, term);
        let mut conditions = state.conditions(terms, self.precision, after);
        conditions.push(symbols.missing[state.thread]);
        let all = terms.and_all(conditions);
        let excluded = terms.not(all);
        self.steps.assert(terms, excluded);
        // Of places there are few.
        let tracked = self.precision.tracked[state.thread]
            .iter()
            .zip(&state.values[1..]);
        let strange = tracked.filter(|&(&term, &value)| expected.is_strange(term, value));
        let strange: Vec<(Term, Value)> = strange.map(|(&term, &value)| (term, value)).collect();
        self.simulation.add(example);
        let thread = state.thread;
        let id = self.found.add(state, origin);
        self.threads[thread].fresh.push(id);
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
    fn violation(&mut self, context: &mut Context<'_>) -> Result<Option<Violation>, Reason> {
        let (terms, steps) = (&*context.terms, &mut self.steps);
        let threads = self.threads.iter().map(|known| known.all.symbol);
        let assumptions: Vec<Term> = threads.chain([context.symbols.bad]).collect();
        let mut model = match steps.check(PROPERTY, terms, &assumptions) {
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
