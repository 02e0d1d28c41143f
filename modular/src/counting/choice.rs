//! The places at which a variable counts threads. A solver chooses some, another one looks for a step that changes the variable by another
//! number, and the next choice has to explain that step, or exclude the state before it.

use rustc_hash::FxHashMap;
use solver::{Answer, Backend, Measured, Model, Workload};
use system::budget::Budget;
use system::term::{Sort, Term, Terms, Value, all_ones, signed};
use system::transition_system::{StateVariable, TransitionSystem};

use super::{Count, Kind, WIDTH, how_many, said};

/// After so many steps that are not explained, a variable is taken not to count.
const MOST_STEPS: usize = 100;

/// By more than these many bits hold, other threads make no difference.
const MORE_BITS: u32 = 8;

/// Choices are about numbers of so many bits, with a sign. Larger ones are taken for the largest.
const CHOICE_BITS: u32 = 12;
const LARGEST: i128 = 1_000;

/// Where a thread is.
struct Thread {
    kind: usize,
    place: Term,
    initial: u128,
}

/// What is chosen for the numbers of a kind's places.
enum Choices {
    /// Whether threads are counted that stand for others; Boolean symbols.
    Counted(Vec<Term>),
    /// By how much the variable is more because of another thread; symbols of [`MORE_BITS`] bits.
    More(Vec<Term>),
}

/// Whether one variable counts threads.
pub(super) struct Search<'a> {
    system: &'a TransitionSystem,
    kinds: &'a [Kind],
    terms: &'a mut Terms,
    variable: Term,
    counts_down: bool,
    from: u128,
    threads: Vec<Thread>,
    /// The next values of the variable and of places.
    next: FxHashMap<Term, Term>,
    /// By kind of threads.
    choices: Vec<Choices>,
}

/// What the variable and the places are at a state.
#[derive(PartialEq, Eq)]
struct State {
    variable: u128,
    places: Vec<u128>,
}

impl<'a> Search<'a> {
    /// None if the variable or a place has no next value, or is not known initially.
    pub(super) fn new(
        system: &'a TransitionSystem,
        kinds: &'a [Kind],
        terms: &'a mut Terms,
        variable: &StateVariable,
        counts_down: bool,
    ) -> Option<Self> {
        let value = |terms: &Terms, term: Option<Term>| Some(terms.as_value(term?)?.bits());
        let from = value(terms, variable.initial)?;
        let mut next = FxHashMap::default();
        next.insert(variable.current, variable.next?);
        let mut threads = Vec::new();
        for (kind, all) in kinds.iter().enumerate() {
            for &place in &all.places {
                let mut variables = system.state.iter();
                let found = variables.find(|variable| variable.current == place)?;
                next.insert(place, found.next?);
                threads.push(Thread {
                    kind,
                    place,
                    initial: value(terms, found.initial)?,
                });
            }
        }
        let choices = kinds.iter().enumerate().map(|(kind, all)| {
            let numbers = 0..all.numbers;
            let mut symbols = |sort| {
                let symbol = |number| terms.symbol(format!("counted.{kind}.{number}"), sort);
                numbers.clone().map(symbol).collect()
            };
            match all.variables {
                Some(_) => Choices::Counted(symbols(Sort::Bool)),
                None => Choices::More(symbols(Sort::BitVec(MORE_BITS))),
            }
        });
        let choices = choices.collect();
        Some(Self {
            system,
            kinds,
            terms,
            variable: variable.current,
            counts_down,
            from,
            threads,
            next,
            choices,
        })
    }

    /// The variable with its places, and the facts that this depends on, if it counts threads.
    pub(super) fn find(
        mut self,
        (facts, counts): (&[Term], &[Count]),
        (backend, budget): (Backend, &Budget),
    ) -> Option<(Count, Vec<Term>)> {
        let solver = || Measured::new(backend.solver(budget, Workload::Refinement));
        let (mut choosing, mut checking) = (solver(), solver());
        for constraint in self.initially()? {
            choosing.assert(self.terms, constraint);
        }
        let constraints = self.system.invariant_constraints.iter().copied();
        for fact in constraints.chain([self.system.guard]) {
            checking.assert(self.terms, fact);
        }
        for count in counts {
            let fact = count.holds(self.terms, |_, term| term);
            checking.assert(self.terms, fact);
        }
        for kind in 0..self.kinds.len() {
            let changes = self.changes(kind);
            let is_changed = match checking.check("who counts", self.terms, &[changes]) {
                Answer::Sat(_) => true,
                Answer::Unsat(_) => false,
                Answer::Unknown(_) => return None,
            };
            if !is_changed {
                let makes_none = self.makes_no_difference(kind);
                choosing.assert(self.terms, makes_none);
            }
        }
        let mut last = None;
        for _ in 0..MOST_STEPS {
            let count = match choosing.check("counted places", self.terms, &[]) {
                Answer::Sat(mut model) => self.chosen(&mut model),
                Answer::Unsat(_) | Answer::Unknown(_) => return None,
            };
            let violated = self.violated(&count);
            let assumptions = [facts, &[violated]].concat();
            let [before, after] = match checking.check("counting", self.terms, &assumptions) {
                Answer::Unsat(_) => return Some(self.with_few_places(count, &mut checking, facts)),
                Answer::Unknown(_) => return None,
                Answer::Sat(mut model) => self.step(&mut model),
            };
            let constraint = self.explains(&before, &after);
            choosing.assert(self.terms, constraint);
            // It is explained by numbers that are too large for choices.
            let step = Some((before, after));
            if step == last {
                return None;
            }
            last = step;
        }
        None
    }

    /// That a thread of a kind moves and changes the variable.
    fn changes(&mut self, kind: usize) -> Term {
        let places = self.kinds[kind].places.iter();
        let moves: Vec<Term> = places
            .map(|place| {
                let stays = self.terms.equal(*place, self.next[place]);
                self.terms.not(stays)
            })
            .collect();
        let same = self.terms.equal(self.variable, self.next[&self.variable]);
        let (moves, changes) = (self.terms.or_all(moves), self.terms.not(same));
        self.terms.and(moves, changes)
    }

    /// That threads of a kind are not counted, and that the variable is not more because of them.
    fn makes_no_difference(&mut self, kind: usize) -> Term {
        let none: Vec<Term> = match &self.choices[kind] {
            Choices::Counted(choices) => {
                let choices = choices.iter();
                choices.map(|&choice| self.terms.not(choice)).collect()
            }
            Choices::More(choices) => {
                let zero = self.terms.bits(MORE_BITS, 0);
                let choices = choices.iter();
                choices
                    .map(|&choice| self.terms.equal(choice, zero))
                    .collect()
            }
        };
        self.terms.and_all(none)
    }

    /// The facts that it takes for the variable to count, if it does.
    fn needed(
        &mut self,
        count: &Count,
        checking: &mut Measured,
        facts: &[Term],
    ) -> Option<Vec<Term>> {
        let violated = self.violated(count);
        let assumptions = [facts, &[violated]].concat();
        match checking.check("counting", self.terms, &assumptions) {
            Answer::Unsat(core) => {
                let needed = core.iter().filter(|&&fact| fact != violated);
                Some(needed.copied().collect())
            }
            Answer::Sat(_) | Answer::Unknown(_) => None,
        }
    }

    /// The same without places at which threads never are, and the facts that it takes.
    fn with_few_places(
        &mut self,
        mut count: Count,
        checking: &mut Measured,
        facts: &[Term],
    ) -> (Count, Vec<Term>) {
        let mut needed = facts.to_vec();
        for kind in self.kinds {
            for number in 0..kind.numbers {
                let without = count.without(&kind.places, number);
                if without.places.is_empty() {
                    continue;
                }
                if let Some(fewer) = self.needed(&without, checking, facts) {
                    (count, needed) = (without, fewer);
                }
            }
        }
        (count, needed)
    }

    /// Whether the variable is narrow, so that it is taken for a flag.
    fn is_flag(&self) -> bool {
        self.terms.width(self.variable) < WIDTH
    }

    /// What has to hold of a choice: some place is counted, and initially no thread makes a difference. None if that cannot be.
    fn initially(&mut self) -> Option<Vec<Term>> {
        let mut constraints = Vec::new();
        let mut some = Vec::new();
        for (kind, choices) in self.kinds.iter().zip(&self.choices) {
            if let Choices::Counted(choices) = choices {
                some.extend(choices);
                let returned = kind.returned.filter(|_| !self.is_flag());
                let returned = returned.and_then(|number| choices.get(number as usize));
                constraints.extend(returned.map(|&choice| self.terms.not(choice)));
            }
        }
        constraints.push(self.terms.or_all(some));
        for thread in &self.threads {
            let number = thread.initial as usize;
            constraints.push(match &self.choices[thread.kind] {
                Choices::Counted(choices) => self.terms.not(*choices.get(number)?),
                Choices::More(choices) => {
                    let zero = self.terms.bits(MORE_BITS, 0);
                    self.terms.equal(*choices.get(number)?, zero)
                }
            });
        }
        Some(constraints)
    }

    /// The variable with what is chosen in a model.
    fn chosen(&self, model: &mut Model<'_>) -> Count {
        let (mut places, mut beside) = (Vec::new(), Vec::new());
        for thread in &self.threads {
            match &self.choices[thread.kind] {
                Choices::Counted(choices) => {
                    let numbers = (0..).zip(choices);
                    let numbers = numbers.filter(|(_, choice)| model.holds(self.terms, **choice));
                    let numbers: Vec<u128> = numbers.map(|(number, _)| number).collect();
                    places.extend((!numbers.is_empty()).then_some((thread.place, numbers)));
                }
                Choices::More(choices) => {
                    let width = self.terms.width(self.variable);
                    let values = model.values(self.terms, choices).into_iter();
                    let more = values.map(|value| signed(MORE_BITS, value.bits()) as u128);
                    let numbers = (0..).zip(more.map(|more| more & all_ones(width)));
                    let numbers: Vec<_> = numbers.filter(|&(_, more)| more != 0).collect();
                    beside.extend((!numbers.is_empty()).then_some((thread.place, numbers)));
                }
            }
        }
        Count {
            variable: self.variable,
            counts_down: self.counts_down,
            is_flag: self.is_flag(),
            from: self.from,
            places,
            beside,
        }
    }

    /// A step changes the variable by another number than that of the threads, of which there were no more than it says.
    fn violated(&mut self, count: &Count) -> Term {
        let holds = count.holds(self.terms, |_, term| term);
        let is_kept = count.is_kept(self.terms, |_, term| self.next[&term]);
        let broken = self.terms.not(is_kept);
        self.terms.and(holds, broken)
    }

    /// The states before and after a step of a model.
    fn step(&self, model: &mut Model<'_>) -> [State; 2] {
        let places = self.threads.iter().map(|thread| thread.place);
        let before: Vec<Term> = [self.variable].into_iter().chain(places).collect();
        let after: Vec<Term> = before.iter().map(|term| self.next[term]).collect();
        [before, after].map(|all| {
            let values = model.values(self.terms, &all);
            State {
                variable: values[0].bits(),
                places: values[1..].iter().map(|value| value.bits()).collect(),
            }
        })
    }

    /// By how much the variable is more at a state because of other threads, and how many threads are counted there, as a choice has it.
    fn at(&mut self, state: &State) -> [Term; 2] {
        let mut more = self.terms.bits(CHOICE_BITS, 0);
        let mut counted = Vec::new();
        for (thread, &number) in self.threads.iter().zip(&state.places) {
            let number = number as usize;
            match &self.choices[thread.kind] {
                Choices::Counted(choices) => counted.extend(choices.get(number)),
                Choices::More(choices) => {
                    if let Some(&choice) = choices.get(number) {
                        let choice = self.terms.sign_extend(CHOICE_BITS, choice);
                        more = self.terms.add(more, choice);
                    }
                }
            }
        }
        [more, how_many(self.terms, &counted, CHOICE_BITS)]
    }

    /// The number of threads that a difference of the variable says, less that of other threads.
    fn said(&mut self, from: u128, to: u128, more: Term) -> Term {
        let width = self.terms.width(self.variable);
        let difference = signed(width, to.wrapping_sub(from) & all_ones(width));
        let difference = difference.clamp(-LARGEST, LARGEST) as u128;
        let difference = self
            .terms
            .constant(Value::truncated(CHOICE_BITS, difference));
        said(self.terms, (difference, more), self.counts_down)
    }

    /// That a choice explains a step, or excludes the state before it.
    fn explains(&mut self, before: &State, after: &State) -> Term {
        let [more, number] = self.at(before);
        let [then_more, then] = self.at(after);
        let value = self.said(self.from, before.variable, more);
        let too_few = self.terms.signed_less(value, number);
        let more = self.terms.subtract(then_more, more);
        let change = self.said(before.variable, after.variable, more);
        let changed = self.terms.add(number, change);
        let same = self.terms.equal(changed, then);
        if !self.is_flag() {
            return self.terms.or(too_few, same);
        }
        let unit = self.terms.bits(CHOICE_BITS, 1);
        let next = self.said(self.from, after.variable, then_more);
        let [too_many, too_many_then] =
            [value, next].map(|value| self.terms.signed_less(unit, value));
        let few = self.terms.not(too_many_then);
        let explained = self.terms.and(same, few);
        self.terms.or_all([too_few, too_many, explained])
    }
}
