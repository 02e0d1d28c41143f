//! Steps between abstract states that evaluation finds.
//!
//! A query takes milliseconds, an evaluation microseconds. So each abstract state has an example, which is a concrete state in it, and threads
//! move from examples: alone, and from what two examples of different threads are together. Only steps that no example shows are left to
//! the solver.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use system::eval::Valuation;
use system::term::{Sort, Term, Terms, Value};

use crate::abstraction::{AbstractState, Found, Origin, Precision, StateId};
use crate::context::Context;
use crate::moves::{MoveId, Moves};
use crate::threads::ThreadedSystem;

/// More states of another thread are not put together with one.
const MOST_PARTNERS: usize = 1000;

/// The moves of a system, to be evaluated.
#[derive(Debug)]
pub(crate) struct Machine {
    moves: Vec<Executable>,
    /// What holds of state and inputs wherever a move is made.
    constraints: Rooted,
    valuation: Valuation,
}

/// A move.
#[derive(Debug)]
struct Executable {
    /// Where its thread has to be, if at one place only.
    place: Option<(Term, Value)>,
    guard: Rooted,
    /// Choices of inputs.
    choices: Vec<Vec<(Term, Value)>>,
    /// The variables that change, by position, and what they become.
    changed: Vec<usize>,
    values: Rooted,
}

impl Machine {
    pub(crate) fn new(threaded: &ThreadedSystem, terms: &Terms) -> Self {
        let system = &threaded.system;
        let constraints = Rooted::new(terms, system.invariant_constraints.clone());
        let mut moves = Vec::new();
        for thread in &threaded.threads {
            for part in &thread.moves {
                let (changed, values) = part.updates.iter().copied().unzip();
                let guard = Rooted::new(terms, vec![part.guard]);
                let values = Rooted::new(terms, values);
                let read = [&guard, &values, &constraints];
                let is_read = |input: &Term| read.iter().any(|read| read.contains(*input));
                let inputs = system.inputs.iter().copied().filter(is_read);
                let fixed = part.fixed(terms);
                let place = thread.place.and_then(|place| {
                    let value = fixed.get(&place)?;
                    Some((place, *value))
                });
                moves.push(Executable {
                    place,
                    choices: choices(terms, inputs.collect(), &fixed),
                    guard,
                    changed,
                    values,
                });
            }
        }
        Self {
            moves,
            constraints,
            valuation: Valuation::default(),
        }
    }

    /// Whether a move may begin where its thread is at one of these places.
    pub(crate) fn may_start(&self, by: MoveId, places: &BTreeSet<Value>) -> bool {
        let place = self.moves[by.0].place;
        place.is_none_or(|(_, place)| places.contains(&place))
    }

    fn load(&mut self, terms: &Terms, threaded: &ThreadedSystem, state: &[Value]) {
        for (variable, &value) in threaded.system.state.iter().zip(state) {
            self.valuation.set(terms, variable.current, value);
        }
    }

    /// Whether a move is possible with these inputs, in the state that is loaded.
    fn is_possible(&mut self, terms: &Terms, step: Step) -> bool {
        let part = &self.moves[step.by.0];
        if part
            .place
            .is_some_and(|(place, value)| self.valuation.value(place) != value)
        {
            return false;
        }
        for &(input, value) in &part.choices[step.choice] {
            self.valuation.set(terms, input, value);
        }
        let all_hold = |conditions: &Rooted, valuation: &mut Valuation| {
            let values = conditions.values(terms, valuation);
            values.into_iter().all(Value::is_true)
        };
        all_hold(&part.guard, &mut self.valuation)
            && all_hold(&self.constraints, &mut self.valuation)
    }

    /// What a state becomes by a move, which is loaded with inputs.
    fn next(&mut self, terms: &Terms, by: MoveId, state: &[Value]) -> Vec<Value> {
        let part = &self.moves[by.0];
        let values = part.values.values(terms, &mut self.valuation);
        let mut next = state.to_vec();
        for (&position, value) in part.changed.iter().zip(values) {
            next[position] = value;
        }
        next
    }
}

/// Few values for inputs: zero, one of them 1, all of them.
fn choices(
    terms: &Terms,
    inputs: Vec<Term>,
    fixed: &FxHashMap<Term, Value>,
) -> Vec<Vec<(Term, Value)>> {
    let (bound, free): (Vec<Term>, Vec<Term>) = inputs
        .into_iter()
        .partition(|input| fixed.contains_key(input));
    let value = |input: Term, is_one: bool| match (terms.sort(input), is_one) {
        (Sort::Bool, is_one) => Value::Bool(is_one),
        (Sort::BitVec(width), is_one) => Value::truncated(width, u128::from(is_one)),
    };
    let choice = |is_one: &dyn Fn(usize) -> bool| -> Vec<(Term, Value)> {
        let bound = bound.iter().map(|&input| (input, fixed[&input]));
        let free = free.iter().enumerate();
        let free = free.map(|(number, &input)| (input, value(input, is_one(number))));
        bound.chain(free).collect()
    };
    let mut choices = vec![choice(&|_| false)];
    choices.extend((0..free.len()).map(|one| choice(&|number| number == one)));
    if free.len() > 1 {
        choices.push(choice(&|_| true));
    }
    choices
}

/// A move under a choice of inputs.
#[derive(Clone, Copy, Debug)]
struct Step {
    by: MoveId,
    choice: usize,
}

/// Terms, with all subterms in their order.
#[derive(Debug)]
struct Rooted {
    roots: Vec<Term>,
    cone: Vec<Term>,
}

impl Rooted {
    fn new(terms: &Terms, roots: Vec<Term>) -> Self {
        Self {
            cone: terms.cone(&roots),
            roots,
        }
    }

    fn contains(&self, term: Term) -> bool {
        self.cone.binary_search(&term).is_ok()
    }

    fn values(&self, terms: &Terms, valuation: &mut Valuation) -> Vec<Value> {
        valuation.run(terms, &self.cone);
        let roots = self.roots.iter();
        roots.map(|&root| valuation.value(root)).collect()
    }
}

/// The examples of the states of one precision.
pub(crate) struct Simulation<'a> {
    threaded: &'a ThreadedSystem,
    /// By thread: what is tracked.
    tracked: Vec<Rooted>,
    /// By moves and threads: what is tracked of the thread, after the move.
    after: FxHashMap<(MoveId, usize), Rooted>,
    /// By thread and move: whether it may change what is tracked of the thread.
    affects: Vec<Vec<bool>>,
    /// By state: a concrete one, by position.
    examples: Vec<Vec<Value>>,
    /// By state: what its thread can do in the example, once that was looked at.
    steps: Vec<Vec<Step>>,
    /// By two threads: what is tracked of both, by position in the states of the first one.
    common: FxHashMap<(usize, usize), Vec<usize>>,
    /// By two threads, and values of what is tracked of both: states of the first one.
    partners: FxHashMap<(usize, usize), FxHashMap<Vec<Value>, Vec<StateId>>>,
    /// By two threads, of which the first one moves: which variables are those of the example of the other one, by position.
    of_other: FxHashMap<(usize, usize), Vec<bool>>,
}

impl<'a> Simulation<'a> {
    pub(crate) fn new(
        threaded: &'a ThreadedSystem,
        precision: &Precision,
        terms: &Terms,
        moves: &Moves,
    ) -> Self {
        let threads = 0..threaded.threads.len();
        let tracked = threads
            .clone()
            .map(|thread| Rooted::new(terms, precision.of(thread).collect()));
        let tracked: Vec<Rooted> = tracked.collect();
        let supports = tracked.iter().map(|tracked| -> FxHashSet<Term> {
            let cone = tracked.cone.iter().copied();
            cone.filter(|&term| terms.is_symbol(term)).collect()
        });
        let supports: Vec<FxHashSet<Term>> = supports.collect();
        let affects = supports.iter().map(|support| {
            let moves = moves.all().map(|id| moves.writes(id, support));
            moves.collect()
        });
        let affects = affects.collect();
        let mut common = FxHashMap::default();
        let mut of_other = FxHashMap::default();
        for one in threads.clone() {
            for other in threads.clone().filter(|&other| other != one) {
                let theirs = &tracked[other].roots;
                let own = tracked[one].roots.iter().enumerate();
                let mut both: Vec<(Term, usize)> = own
                    .filter(|(_, term)| theirs.contains(term))
                    .map(|(position, &term)| (term, position))
                    .collect();
                both.sort_unstable();
                let positions = both.into_iter().map(|(_, position)| position);
                common.insert((one, other), positions.collect::<Vec<usize>>());
                let variables = threaded.system.state.iter().zip(&threaded.owners);
                let from = variables.map(|(variable, &owner)| {
                    let current = variable.current;
                    match owner {
                        Some(owner) if owner == one => false,
                        Some(owner) if owner == other => true,
                        Some(_) | None => {
                            supports[other].contains(&current) && !supports[one].contains(&current)
                        }
                    }
                });
                of_other.insert((one, other), from.collect::<Vec<bool>>());
            }
        }
        Self {
            threaded,
            tracked,
            after: FxHashMap::default(),
            affects,
            examples: Vec::new(),
            steps: Vec::new(),
            common,
            partners: FxHashMap::default(),
            of_other,
        }
    }

    /// The moves of a thread that may change what is tracked of one.
    pub(crate) fn relevant(&self, moves: &Moves, mover: usize, thread: usize) -> Vec<MoveId> {
        let moves = moves.of(mover);
        moves.filter(|id| self.affects[thread][id.0]).collect()
    }

    /// Gives the next state that is found an example.
    pub(crate) fn add(&mut self, example: Vec<Value>) {
        self.examples.push(example);
        self.steps.push(Vec::new());
    }

    /// Whether a move may change what is tracked of a thread.
    pub(crate) fn affects(&self, thread: usize, by: MoveId) -> bool {
        self.affects[thread][by.0]
    }

    /// States that were not found yet and to which steps lead from a state, or from it and one of those that were given here before.
    pub(crate) fn news_from(
        &mut self,
        context: &mut Context<'_>,
        found: &Found,
        id: StateId,
    ) -> Vec<News> {
        let state = found.state(id);
        let thread = state.thread;
        let mut news = Newly::default();
        self.steps[id] = self.alone(context, found, id, &mut news);
        for other in (0..self.threaded.threads.len()).filter(|&other| other != thread) {
            let common = self.common[&(thread, other)].iter();
            let common: Vec<Value> = common.map(|&position| state.values[position]).collect();
            let partners = self.partners.get(&(other, thread));
            let partners = partners.and_then(|partners| partners.get(&common));
            let partners = partners.into_iter().flatten().rev().take(MOST_PARTNERS);
            let partners: Vec<StateId> = partners.copied().collect();
            for partner in partners {
                for (mover, rests) in [(id, partner), (partner, id)] {
                    self.together(context, found, (mover, rests), &mut news);
                }
            }
            let known = self.partners.entry((thread, other)).or_default();
            known.entry(common).or_default().push(id);
        }
        news.all
    }

    /// What a thread can do in the example of a state of it, after a look at what that makes of the state.
    fn alone(
        &mut self,
        context: &mut Context<'_>,
        found: &Found,
        id: StateId,
        news: &mut Newly,
    ) -> Vec<Step> {
        let thread = found.state(id).thread;
        let example = self.examples[id].clone();
        context.machine.load(context.terms, self.threaded, &example);
        let mut steps = Vec::new();
        for by in context.moves.of(thread).collect::<Vec<MoveId>>() {
            for choice in 0..context.machine.moves[by.0].choices.len() {
                let step = Step { by, choice };
                if !context.machine.is_possible(context.terms, step) {
                    continue;
                }
                steps.push(step);
                if self.affects(thread, by) {
                    self.follow(context, found, (step, [id, id]), &example, news);
                }
            }
        }
        steps
    }

    /// What the steps of one state do to a state of another thread.
    fn together(
        &mut self,
        context: &mut Context<'_>,
        found: &Found,
        (mover, rests): (StateId, StateId),
        news: &mut Newly,
    ) {
        let [moving, resting] = [mover, rests].map(|id| found.state(id));
        let steps = self.steps[mover].iter().copied();
        let affects = &self.affects[resting.thread];
        let steps: Vec<Step> = steps.filter(|step| affects[step.by.0]).collect();
        if steps.is_empty() {
            return;
        }
        let of_other = self.of_other[&(moving.thread, resting.thread)].iter();
        let [own, others] = [mover, rests].map(|id| self.examples[id].iter());
        let both = of_other.zip(own.zip(others));
        let both = both.map(|(&of_other, (&own, &other))| if of_other { other } else { own });
        let both: Vec<Value> = both.collect();
        let Context { terms, machine, .. } = context;
        machine.load(terms, self.threaded, &both);
        let agree = [moving, resting].into_iter().all(|state| {
            let values = self.tracked[state.thread].values(terms, &mut machine.valuation);
            values == state.values
        });
        if !agree {
            return;
        }
        for step in steps {
            if context.machine.is_possible(context.terms, step) {
                self.follow(context, found, (step, [mover, rests]), &both, news);
            }
        }
    }

    /// Looks at what a step of one state does to another one, or to itself, in the concrete state that is loaded, where it is possible.
    fn follow(
        &mut self,
        context: &mut Context<'_>,
        found: &Found,
        (step, [mover, rests]): (Step, [StateId; 2]),
        state: &[Value],
        news: &mut Newly,
    ) {
        let Context {
            terms,
            moves,
            machine,
            ..
        } = context;
        let thread = found.state(rests).thread;
        let tracked = &self.tracked[thread].roots;
        let after = self.after.entry((step.by, thread)).or_insert_with(|| {
            let after = tracked
                .iter()
                .map(|&term| moves.after(terms, step.by, term));
            let after = after.collect();
            Rooted::new(terms, after)
        });
        let after = AbstractState {
            thread,
            values: after.values(terms, &mut machine.valuation),
        };
        if found.id(&after).is_some() || !news.states.insert(after.clone()) {
            return;
        }
        news.all.push(News {
            state: after,
            origin: Origin::Move {
                mover,
                by: step.by,
                rests: (mover != rests).then_some(rests),
            },
            example: machine.next(terms, step.by, state),
        });
    }
}

/// A state that was not found before.
pub(crate) struct News {
    pub(crate) state: AbstractState,
    pub(crate) origin: Origin,
    /// A concrete state in it, by position.
    pub(crate) example: Vec<Value>,
}

#[derive(Default)]
struct Newly {
    states: FxHashSet<AbstractState>,
    all: Vec<News>,
}
