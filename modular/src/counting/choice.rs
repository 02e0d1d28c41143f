//! The places at which a variable counts threads. A solver chooses some, another one looks for a step that changes the variable by another
//! number, and the next choice has to explain that step, or exclude the state before it.

use rustc_hash::FxHashMap;
use solver::{Answer, Backend, Measured, Model, Workload};
use system::budget::Budget;
use system::term::{Sort, Term, Terms, Value, all_ones, signed};
use system::transition_system::{StateVariable, TransitionSystem};

use super::{Count, Kind, SPARE, how_many};

/// After so many steps that are not explained, a variable is taken not to count.
const MOST_STEPS: usize = 200;

/// Where a thread is.
struct Thread {
    kind: usize,
    place: Term,
    initial: u128,
}

/// Whether one variable counts threads.
pub(super) struct Search<'a> {
    system: &'a TransitionSystem,
    kinds: &'a [Kind],
    terms: &'a mut Terms,
    variable: Term,
    initial: u128,
    is_flag: bool,
    threads: Vec<Thread>,
    /// The next values of the variable and of places.
    next: FxHashMap<Term, Term>,
    /// For each kind of threads, what says that a number of its places is counted: Boolean symbols.
    choices: Vec<Vec<Term>>,
}

impl<'a> Search<'a> {
    /// None if the variable or a place has no next value, or is not known initially.
    pub(super) fn new(
        system: &'a TransitionSystem,
        kinds: &'a [Kind],
        terms: &'a mut Terms,
        variable: &StateVariable,
        is_flag: bool,
    ) -> Option<Self> {
        let value = |terms: &Terms, term: Option<Term>| Some(terms.as_value(term?)?.bits());
        let initial = value(terms, variable.initial)?;
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
        let kinds_with_numbers = kinds.iter().enumerate();
        let choices = kinds_with_numbers.map(|(kind, all)| {
            let choice = |number| terms.symbol(format!("counted.{kind}.{number}"), Sort::Bool);
            (0..all.numbers).map(choice).collect()
        });
        let choices = choices.collect();
        Some(Self {
            system,
            kinds,
            terms,
            variable: variable.current,
            initial,
            is_flag,
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
        for _ in 0..MOST_STEPS {
            let count = match choosing.check("counted places", self.terms, &[]) {
                Answer::Sat(mut model) => self.chosen(&mut model),
                Answer::Unsat(_) | Answer::Unknown(_) => return None,
            };
            let violated = self.violated(&count);
            let assumptions = [facts, &[violated]].concat();
            let step = match checking.check("counting", self.terms, &assumptions) {
                Answer::Unsat(_) => return Some(self.with_few_places(count, &mut checking, facts)),
                Answer::Unknown(_) => return None,
                Answer::Sat(mut model) => self.step(&mut model),
            };
            let constraint = self.explains(&step);
            choosing.assert(self.terms, constraint);
        }
        None
    }

    /// The same without places at which threads never are, and the facts that it depends on.
    fn with_few_places(
        &mut self,
        mut count: Count,
        checking: &mut Measured,
        facts: &[Term],
    ) -> (Count, Vec<Term>) {
        let mut needed = facts.to_vec();
        for kind in 0..self.kinds.len() {
            for number in 0..self.kinds[kind].numbers {
                let threads = self.threads.iter().filter(|thread| thread.kind == kind);
                let places = threads.clone().map(|thread| thread.place);
                let without = count.without(&places.collect::<Vec<_>>(), number);
                let is_first = threads.clone().any(|thread| thread.initial == number);
                if is_first || without == count || !without.is_about_families(self.kinds) {
                    continue;
                }
                let violated = self.violated(&without);
                let assumptions = [facts, &[violated]].concat();
                if let Answer::Unsat(_) = checking.check("counting", self.terms, &assumptions) {
                    count = without;
                }
            }
        }
        let violated = self.violated(&count);
        let assumptions = [facts, &[violated]].concat();
        if let Answer::Unsat(core) = checking.check("counting", self.terms, &assumptions) {
            needed.retain(|fact| core.contains(fact));
        }
        (count, needed)
    }

    /// What has to hold of a choice: some place of a family is counted, and the variable is the number of threads initially, when those
    /// that stand for others are not there. None if that cannot be.
    fn initially(&mut self) -> Option<Vec<Term>> {
        let mut constraints = Vec::new();
        let mut some = Vec::new();
        for (kind, choices) in self.kinds.iter().zip(&self.choices) {
            if kind.variables.is_some() {
                some.extend(choices);
                let returned = kind.returned.filter(|_| !self.is_flag);
                let returned = returned.and_then(|number| choices.get(number as usize));
                constraints.extend(returned.map(|&choice| self.terms.not(choice)));
            }
        }
        constraints.push(self.terms.or_all(some));
        let mut counted = Vec::new();
        for thread in &self.threads {
            let choice = *self.choices[thread.kind].get(thread.initial as usize)?;
            match self.kinds[thread.kind].variables.is_some() {
                true => constraints.push(self.terms.not(choice)),
                false => counted.push(choice),
            }
        }
        let number = how_many(self.terms, &counted, SPARE);
        let initial = u8::try_from(self.initial).ok()?;
        let initial = self.terms.bits(SPARE, initial.into());
        constraints.push(self.terms.equal(number, initial));
        Some(constraints)
    }

    /// The variable with the places that are counted in a model.
    fn chosen(&self, model: &mut Model<'_>) -> Count {
        let kinds = self.choices.iter().map(|choices| {
            let numbers = (0..).zip(choices);
            let counted = numbers.filter(|(_, choice)| model.holds(self.terms, **choice));
            counted.map(|(number, _)| number).collect()
        });
        let kinds: Vec<Vec<u128>> = kinds.collect();
        let threads = self.threads.iter();
        let places = threads.map(|thread| (thread.place, kinds[thread.kind].clone()));
        Count {
            variable: self.variable,
            is_flag: self.is_flag,
            places: places.filter(|(_, numbers)| !numbers.is_empty()).collect(),
        }
    }

    /// A step changes the variable by another number than that of the threads, of which there were no more than it says.
    fn violated(&mut self, count: &Count) -> Term {
        let holds = count.holds(self.terms, |_, term| term);
        let is_kept = count.is_kept(self.terms, |_, term| self.next[&term]);
        let broken = self.terms.not(is_kept);
        self.terms.and(holds, broken)
    }

    /// What the variable and the places are before and after a step of a model.
    fn step(&self, model: &mut Model<'_>) -> [Vec<u128>; 2] {
        let places = self.threads.iter().map(|thread| thread.place);
        let before: Vec<Term> = [self.variable].into_iter().chain(places).collect();
        let after: Vec<Term> = before.iter().map(|term| self.next[term]).collect();
        let [before, after] = [before, after].map(|all| model.values(self.terms, &all));
        let bits = |all: Vec<Value>| all.into_iter().map(Value::bits).collect();
        [bits(before), bits(after)]
    }

    /// That a choice explains a step, or excludes the state before it.
    fn explains(&mut self, step: &[Vec<u128>; 2]) -> Term {
        let [number, then] = [0, 1].map(|position| {
            let threads = self.threads.iter().zip(&step[position][1..]);
            let choices = threads.map(|(thread, &number)| {
                let choice = self.choices[thread.kind].get(number as usize);
                choice.copied().unwrap_or_else(|| self.terms.bool(false))
            });
            let choices: Vec<Term> = choices.collect();
            how_many(self.terms, &choices, SPARE)
        });
        let [before, after] = [0, 1].map(|position| step[position][0]);
        let threads = self.threads.len() as u128;
        // More than all threads are no fewer than those that are counted.
        let value = self.terms.bits(SPARE, before.min(threads));
        let excluded = self.terms.unsigned_less(value, number);
        let width = self.terms.width(self.variable);
        let change = signed(width, after.wrapping_sub(before) & all_ones(width));
        if change.unsigned_abs() > threads || self.is_flag && after > 1 {
            return excluded;
        }
        let change = self.terms.constant(Value::truncated(SPARE, change as u128));
        let changed = self.terms.add(number, change);
        let explained = self.terms.equal(changed, then);
        self.terms.or(excluded, explained)
    }
}
