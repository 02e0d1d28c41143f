//! Transition systems whose transitions are moves of threads.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use system::budget::Budget;
use system::term::{Binary, Node, Sort, Substitution, Term, Terms, Unary, Value};
use system::transition_system::{Reason, TransitionSystem};

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
    /// The threads that stand for any number of others. What is said of one of them holds of each of its family, and of no two
    /// together.
    pub families: Vec<Family>,
}

/// Threads that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// The threads, each with the variables that belong to it. Those at the same position in these lists correspond.
    pub members: Vec<(usize, Vec<Term>)>,
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

/// Where a thread is compared with more places, these are not taken apart.
const MOST_PLACES: usize = 500;

impl ThreadedSystem {
    /// Takes a system apart in which an input chooses the thread that moves, `places[k]` if it is `k`; without a choice there is one thread.
    /// Places are terms; one that is not over a single variable of the state is not looked at.
    ///
    /// # Errors
    /// The budget is exhausted.
    pub fn split(
        mut system: TransitionSystem,
        choice: Option<Term>,
        places: &[Term],
        budget: &Budget,
    ) -> Result<Self, Reason> {
        let mut threads = Vec::with_capacity(places.len());
        for (thread, &place) in (0..).zip(places) {
            let place = place_variable(&system, place);
            let mut relation = Relation::of(&system);
            if let Some(choice) = choice {
                let thread = system.terms.bits(system.terms.width(choice), thread);
                let is_chosen = system.terms.equal(choice, thread);
                relation = relation.where_equal(&mut system.terms, choice, thread);
                relation.conditions.push(is_chosen);
            }
            threads.push(Thread {
                place,
                moves: relation.moves(&mut system, place, budget)?,
                shown: Vec::new(),
            });
        }
        Ok(Self::new(system, threads))
    }

    /// Finds out which variables are local to threads, and what is shown of their places.
    pub fn new(system: TransitionSystem, mut threads: Vec<Thread>) -> Self {
        let variables = system.state.iter().map(|variable| variable.current);
        let positions: FxHashMap<Term, usize> = variables.zip(0..).collect();
        let places = threads.iter().map(|thread| thread.place).zip(0..);
        let places: FxHashMap<Term, usize> = places
            .filter_map(|(place, thread)| Some((place?, thread)))
            .collect();
        let mut owners = vec![Access::None; system.state.len()];
        let mut shown = vec![Vec::new(); threads.len()];
        for (thread, part) in threads.iter().enumerate() {
            let mut reads = Reads::new(&system.terms, &places, thread);
            let mut accessed: Vec<usize> = Vec::new();
            for part in &part.moves {
                reads.of(part.guard);
                for &(changed, value) in &part.updates {
                    let variable = system.state[changed].current;
                    reads.of_value(variable, value);
                    accessed.extend((!places.contains_key(&variable)).then_some(changed));
                }
            }
            let own = reads.symbols.iter().chain(&part.place);
            accessed.extend(own.filter_map(|term| positions.get(term)));
            for position in accessed {
                owners[position].add(thread);
            }
            for (whose, term) in reads.shown {
                if !shown[whose].contains(&term) {
                    shown[whose].push(term);
                }
            }
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
            if thread.place.is_some_and(is_local) {
                thread.shown = shown;
            }
        }
        Self {
            system,
            threads,
            owners,
            families: Vec::new(),
        }
    }

    /// Says which variables belong to threads that stand for any number of others, by family and thread. None if one of these threads
    /// has no place among its variables.
    pub fn with_families(mut self, families: Vec<Vec<Vec<Term>>>) -> Option<Self> {
        let families = families.into_iter().map(|family| {
            let members = family.into_iter().map(|variables| {
                let is_here = |thread: &Thread| {
                    let place = thread.place;
                    place.is_some_and(|place| variables.contains(&place))
                };
                let thread = self.threads.iter().position(is_here)?;
                Some((thread, variables))
            });
            let members = members.collect::<Option<_>>()?;
            Some(Family { members })
        });
        self.families = families.collect::<Option<_>>()?;
        Some(self)
    }

    /// What a thread may know of the state: no variables that belong to other threads which stand for any number.
    pub fn knowable(&self, thread: usize) -> impl Iterator<Item = usize> {
        let members = self.families.iter().flat_map(|family| &family.members);
        let others = members.filter(|&&(member, _)| member != thread);
        let hidden: FxHashSet<Term> = others.flat_map(|(_, all)| all.iter().copied()).collect();
        let state = self.system.state.iter().enumerate();
        state.filter_map(move |(position, variable)| {
            (!hidden.contains(&variable.current)).then_some(position)
        })
    }

    /// The threads whose local variables a term is about.
    pub(crate) fn involved(&self, terms: &Terms, term: Term) -> Vec<usize> {
        let cone: FxHashSet<Term> = terms.cone(&[term]).into_iter().collect();
        let variables = self.system.state.iter().zip(&self.owners);
        let owners = variables.filter_map(|(variable, owner)| {
            let owner = *owner;
            owner.filter(|_| cone.contains(&variable.current))
        });
        let owners: BTreeSet<usize> = owners.collect();
        owners.into_iter().collect()
    }

    /// Whether a thread stands for any number of others.
    fn is_representative(&self, thread: usize) -> bool {
        let mut members = self.families.iter().flat_map(|family| &family.members);
        members.any(|&(member, _)| member == thread)
    }

    /// What a thread sees of the state: global variables, its own, and what is shown of the places of others.
    pub fn visible(&self, thread: usize) -> Vec<Term> {
        let variables = self.knowable(thread);
        let variables = variables
            .filter(|&position| self.owners[position].is_none_or(|owner| owner == thread))
            .map(|position| self.system.state[position].current);
        let others = self.threads.iter().enumerate();
        let others = others.filter(|&(other, _)| other != thread && !self.is_representative(other));
        let shown = others.flat_map(|(_, other)| other.shown.iter().copied());
        variables.chain(shown).collect()
    }
}

impl Move {
    /// Variables that have one value wherever the move is possible.
    pub(crate) fn fixed(&self, terms: &Terms) -> FxHashMap<Term, Value> {
        let mut fixed = FxHashMap::default();
        let mut open = vec![self.guard];
        while let Some(term) = open.pop() {
            match terms.node(term) {
                Node::Symbol(_) => {
                    fixed.insert(term, Value::Bool(true));
                }
                Node::Unary(Unary::Not, negated) if terms.is_symbol(negated) => {
                    fixed.insert(negated, Value::Bool(false));
                }
                Node::Binary(Binary::And, a, b) => open.extend([a, b]),
                Node::Binary(Binary::Equal, a, b) => {
                    let pairs = [(a, b), (b, a)].into_iter();
                    let pairs = pairs.filter(|&(variable, _)| terms.is_symbol(variable));
                    fixed.extend(
                        pairs.filter_map(|(variable, value)| {
                            Some((variable, terms.as_value(value)?))
                        }),
                    );
                }
                Node::Constant(_)
                | Node::Unary(..)
                | Node::Binary(..)
                | Node::Ite(..)
                | Node::Extract { .. }
                | Node::ZeroExtend(..)
                | Node::SignExtend(..) => {}
            }
        }
        fixed
    }

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
    let mut state = system.state.iter();
    state
        .any(|variable| variable.current == symbol)
        .then_some(symbol)
}

/// A part of the transition relation.
#[derive(Clone)]
struct Relation {
    /// What holds of state and inputs in it, and is not said by the guard.
    conditions: Vec<Term>,
    guard: Term,
    /// What the state variables are before and after, in their order.
    values: Vec<[Term; 2]>,
}

impl Relation {
    fn of(system: &TransitionSystem) -> Self {
        let variables = system.state.iter();
        let values = variables.map(|variable| {
            let current = variable.current;
            [current, variable.next.unwrap_or(current)]
        });
        Self {
            conditions: Vec::new(),
            guard: system.guard,
            values: values.collect(),
        }
    }

    /// The part where a term has a value.
    fn where_equal(&self, terms: &mut Terms, term: Term, value: Term) -> Self {
        self.replaced(terms, [(term, value)].into_iter().collect())
    }

    fn replaced(&self, terms: &mut Terms, images: FxHashMap<Term, Term>) -> Self {
        let mut replaced = self.clone();
        let mut images = Substitution::new(images);
        replaced.guard = images.apply(terms, self.guard);
        if !replaced.is_empty(terms) {
            for value in replaced.values.iter_mut().flatten() {
                *value = images.apply(terms, *value);
            }
        }
        replaced
    }

    fn is_empty(&self, terms: &Terms) -> bool {
        let guard = terms.as_value(self.guard);
        guard.is_some_and(|guard| !guard.is_true())
    }

    /// The moves of a thread: one for each place where it may move, and one for all places that it is not compared with.
    fn moves(
        self,
        system: &mut TransitionSystem,
        place: Option<Term>,
        budget: &Budget,
    ) -> Result<Vec<Move>, Reason> {
        let terms = &mut system.terms;
        let compared = place.map_or_else(Vec::new, |place| self.comparisons(terms, place));
        let mut moves = Vec::new();
        if compared.len() <= MOST_PLACES {
            for &(is_here, place, here) in &compared {
                if let Some(reason) = budget.exhausted() {
                    return Err(reason);
                }
                let mut part = self.where_equal(terms, place, here);
                part.conditions.push(is_here);
                moves.extend(part.into_move(terms));
            }
            let elsewhere = terms.bool(false);
            let images = compared.iter().map(|&(is_here, ..)| (is_here, elsewhere));
            let mut rest = self.replaced(terms, images.collect());
            for (is_here, ..) in compared {
                rest.conditions.push(terms.not(is_here));
            }
            moves.extend(rest.into_move(terms));
        } else {
            moves.extend(self.into_move(terms));
        }
        Ok(moves)
    }

    /// The comparisons of a place with constants that decide which move is made.
    fn comparisons(&self, terms: &Terms, place: Term) -> Vec<(Term, Term, Term)> {
        let roots: Vec<Term> = self.values.iter().map(|&[_, after]| after).collect();
        let cone = terms.cone(&[roots.as_slice(), &[self.guard]].concat());
        let comparisons = cone.into_iter().filter_map(|term| {
            let Node::Binary(Binary::Equal, a, b) = terms.node(term) else {
                return None;
            };
            let value = match (a == place, b == place) {
                (true, false) => b,
                (false, true) => a,
                (true, true) | (false, false) => return None,
            };
            terms.as_value(value)?;
            Some((term, place, value))
        });
        comparisons.collect()
    }

    /// The part as a move, if there is one.
    fn into_move(mut self, terms: &mut Terms) -> Option<Move> {
        if self.is_empty(terms) {
            return None;
        }
        self.conditions.push(self.guard);
        let values = self.values.iter().enumerate();
        let changed = values.filter(|(_, [before, after])| before != after);
        let updates = changed.map(|(position, &[_, after])| (position, after));
        Some(Move {
            updates: updates.collect(),
            guard: terms.and_all(self.conditions),
        })
    }
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
