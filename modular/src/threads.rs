//! Transition systems whose transitions are moves of threads.

use rustc_hash::{FxHashMap, FxHashSet};
use system::term::{Node, Sort, Substitution, Term, Terms};
use system::transition_system::TransitionSystem;

/// A transition system, with what its threads do.
#[derive(Clone, Debug)]
pub struct ThreadedSystem {
    /// States, properties and constraints. Its transitions are those of the moves.
    pub system: TransitionSystem,
    /// What each thread does.
    pub threads: Vec<Thread>,
    /// The threads that alone access the variables, by their positions in the state; none of a variable that is global. Of the place of a
    /// thread others may know what is [shown](Thread::shown), and they may write it: who creates a thread does.
    pub owners: Vec<Option<usize>>,
}

/// What a thread does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// The variable that says where the thread is, if there is one.
    pub place: Option<Term>,
    /// What it may do.
    pub moves: Vec<Move>,
    /// What other threads ask of its place: Boolean terms over `place`, such as whether the thread has ended.
    pub shown: Vec<Term>,
}

/// A part of the transition relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Whether it is possible; a Boolean term over state and inputs.
    pub guard: Term,
    /// The variables that change, by their positions in the state, with their next values. All others keep theirs.
    pub updates: Vec<(usize, Term)>,
}

/// A place with more bits is not taken apart.
const MOST_BITS: u32 = 12;

impl ThreadedSystem {
    /// Takes a system apart in which an input chooses the thread that moves, `places[k]` if it is `k`; without a choice there is one thread.
    /// Places are terms; one that is not over a single variable of the state, with few bits, is not looked at.
    pub fn split(mut system: TransitionSystem, choice: Option<Term>, places: &[Term]) -> Self {
        let mut threads = Vec::with_capacity(places.len());
        for (thread, &place) in (0..).zip(places) {
            let place = place_variable(&system, place);
            let mut chosen = Vec::new();
            if let Some(choice) = choice {
                let thread = system.terms.bits(system.terms.width(choice), thread);
                chosen.push((choice, thread));
            }
            threads.push(Thread {
                place,
                moves: moves(&mut system, &chosen, place),
                shown: Vec::new(),
            });
        }
        Self::new(system, threads)
    }

    /// Finds out which variables are local to threads, and what is shown of their places.
    pub fn new(system: TransitionSystem, mut threads: Vec<Thread>) -> Self {
        let mut owners = vec![Access::None; system.state.len()];
        let positions: FxHashMap<Term, usize> = system
            .state
            .iter()
            .enumerate()
            .map(|(position, variable)| (variable.current, position))
            .collect();
        let places: FxHashMap<Term, usize> = threads
            .iter()
            .enumerate()
            .filter_map(|(thread, part)| Some((part.place?, thread)))
            .collect();
        let is_place = |position: usize| places.contains_key(&system.state[position].current);
        let mut shown = vec![Vec::new(); threads.len()];
        for (thread, part) in threads.iter().enumerate() {
            let mut reads = Reads::new(&system.terms, &places, thread);
            for part in &part.moves {
                reads.of(part.guard);
                for &(changed, value) in &part.updates {
                    reads.of_value(system.state[changed].current, value);
                    if !is_place(changed) {
                        owners[changed].add(thread);
                    }
                }
            }
            for term in reads.symbols {
                if let Some(&position) = positions.get(&term) {
                    owners[position].add(thread);
                }
            }
            for (whose, term) in reads.shown {
                if !shown[whose].contains(&term) {
                    shown[whose].push(term);
                }
            }
        }
        for (place, thread) in &places {
            owners[positions[place]].add(*thread);
        }
        let owners: Vec<Option<usize>> = owners
            .into_iter()
            .map(|access| match access {
                Access::One(thread) => Some(thread),
                Access::None | Access::Many => None,
            })
            .collect();
        for (thread, shown) in threads.iter_mut().zip(shown) {
            let is_local = |place: Term| owners[positions[&place]].is_some();
            thread.shown = match thread.place.is_some_and(is_local) {
                true => shown,
                false => Vec::new(),
            };
        }
        Self {
            system,
            threads,
            owners,
        }
    }

    /// What a thread sees of the state: global variables, its own, and what is shown of the places of others.
    pub fn visible(&self, thread: usize) -> Vec<Term> {
        let variables = self.owners.iter().zip(&self.system.state);
        let variables = variables
            .filter(|(owner, _)| owner.is_none_or(|owner| owner == thread))
            .map(|(_, variable)| variable.current);
        let others = self.threads.iter().enumerate();
        let others = others.filter(|&(other, _)| other != thread);
        let shown = others.flat_map(|(_, other)| other.shown.iter().copied());
        variables.chain(shown).collect()
    }
}

impl Move {
    /// What terms over the state are after the move, in terms of the state before.
    pub fn after(&self, system: &TransitionSystem) -> Substitution {
        let updates = self.updates.iter();
        let images = updates.map(|&(position, value)| (system.state[position].current, value));
        Substitution::new(images.collect())
    }
}

/// The variable of the state that a place is a term over.
fn place_variable(system: &TransitionSystem, place: Term) -> Option<Term> {
    let terms = &system.terms;
    let mut symbols = terms
        .cone(&[place])
        .into_iter()
        .filter(|&term| terms.is_symbol(term));
    let (symbol, None) = (symbols.next()?, symbols.next()) else {
        return None;
    };
    let is_state = system
        .state
        .iter()
        .any(|variable| variable.current == symbol);
    let is_small = matches!(terms.sort(symbol), Sort::BitVec(width) if width <= MOST_BITS);
    (is_state && is_small).then_some(symbol)
}

/// The moves under a choice of inputs, one for each place where there are some.
fn moves(system: &mut TransitionSystem, chosen: &[(Term, Term)], place: Option<Term>) -> Vec<Move> {
    let mut next: Vec<Term> = system
        .state
        .iter()
        .map(|variable| variable.next.unwrap_or(variable.current))
        .collect();
    let mut guard = system.guard;
    specialise(&mut system.terms, &mut guard, &mut next, chosen);
    let Some(place) = place else {
        return part(system, chosen, guard, &next).into_iter().collect();
    };
    let width = system.terms.width(place);
    let mut moves = Vec::new();
    for number in 0..1 << width {
        let here = (place, system.terms.bits(width, number));
        let (mut guard, mut next) = (guard, next.clone());
        specialise(&mut system.terms, &mut guard, &mut next, &[here]);
        let chosen: Vec<_> = chosen.iter().copied().chain([here]).collect();
        moves.extend(part(system, &chosen, guard, &next));
    }
    moves
}

fn specialise(terms: &mut Terms, guard: &mut Term, next: &mut [Term], values: &[(Term, Term)]) {
    let mut specialised = Substitution::new(values.iter().copied().collect());
    *guard = specialised.apply(terms, *guard);
    if terms.as_value(*guard).is_some_and(|guard| !guard.is_true()) {
        return;
    }
    for next in next {
        *next = specialised.apply(terms, *next);
    }
}

/// The move of a specialised relation, if there is one.
fn part(
    system: &mut TransitionSystem,
    values: &[(Term, Term)],
    guard: Term,
    next: &[Term],
) -> Option<Move> {
    let terms = &mut system.terms;
    if terms.as_value(guard).is_some_and(|guard| !guard.is_true()) {
        return None;
    }
    let mut conditions = vec![guard];
    conditions.extend(values.iter().map(|&(term, value)| terms.equal(term, value)));
    let guard = terms.and_all(conditions);
    let values: FxHashMap<Term, Term> = values.iter().copied().collect();
    let variables = system.state.iter().map(|variable| variable.current);
    let changed = variables
        .zip(next)
        .enumerate()
        .filter(|(_, (current, next))| {
            let before = values.get(current).unwrap_or(current);
            *next != before
        });
    let updates = changed.map(|(position, (_, &next))| (position, next));
    Some(Move {
        guard,
        updates: updates.collect(),
    })
}

/// What a thread reads.
struct Reads<'a> {
    terms: &'a Terms,
    places: &'a FxHashMap<Term, usize>,
    thread: usize,
    /// By term: whose place it is over, if over nothing else but constants.
    over: FxHashMap<Term, Over>,
    seen: FxHashSet<Term>,
    symbols: Vec<Term>,
    /// Boolean terms over places of others, with whose they are.
    shown: Vec<(usize, Term)>,
}

/// What a term is over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Over {
    Nothing,
    Place(usize),
    More,
}

impl<'a> Reads<'a> {
    fn new(terms: &'a Terms, places: &'a FxHashMap<Term, usize>, thread: usize) -> Self {
        Self {
            terms,
            places,
            thread,
            over: FxHashMap::default(),
            seen: FxHashSet::default(),
            symbols: Vec::new(),
            shown: Vec::new(),
        }
    }

    /// The next value of a variable reads all but the variable itself where it is kept.
    fn of_value(&mut self, variable: Term, value: Term) {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            if value == variable {
                continue;
            }
            match self.terms.node(value) {
                Node::Ite(condition, yes, no) => {
                    self.of(condition);
                    open.extend([yes, no]);
                }
                Node::Constant(_)
                | Node::Symbol(_)
                | Node::Unary(..)
                | Node::Binary(..)
                | Node::Extract { .. }
                | Node::ZeroExtend(..)
                | Node::SignExtend(..) => self.of(value),
            }
        }
    }

    fn of(&mut self, root: Term) {
        for term in self.terms.cone(&[root]) {
            if !self.over.contains_key(&term) {
                let over = self.over(term);
                self.over.insert(term, over);
            }
        }
        let mut open = vec![root];
        while let Some(term) = open.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            match self.over[&term] {
                Over::Place(whose)
                    if whose != self.thread && self.terms.sort(term) == Sort::Bool =>
                {
                    self.shown.push((whose, term));
                }
                Over::Nothing => {}
                Over::Place(_) | Over::More => {
                    if self.terms.is_symbol(term) {
                        self.symbols.push(term);
                    }
                    open.extend(self.terms.node(term).operands());
                }
            }
        }
    }

    fn over(&self, term: Term) -> Over {
        if self.terms.is_symbol(term) {
            return self
                .places
                .get(&term)
                .map_or(Over::More, |&thread| Over::Place(thread));
        }
        let operands = self.terms.node(term).operands();
        operands.fold(Over::Nothing, |all, operand| {
            match (all, self.over[&operand]) {
                (all, Over::Nothing) => all,
                (Over::Nothing, over) => over,
                (all, over) if all == over => all,
                (Over::Place(_) | Over::More, Over::Place(_) | Over::More) => Over::More,
            }
        })
    }
}

/// The threads that access a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    None,
    One(usize),
    Many,
}

impl Access {
    fn add(&mut self, thread: usize) {
        *self = match *self {
            Self::None => Self::One(thread),
            Self::One(known) if known == thread => Self::One(thread),
            Self::One(_) | Self::Many => Self::Many,
        };
    }
}
