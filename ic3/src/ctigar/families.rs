//! Threads that stand for any number of others: lemmas that hold whichever threads these are.
//!
//! A family has one thread more than a lemma may speak of: the one that moves while the others rest. A lemma holds of its threads in
//! any order, so that what is learnt of some is learnt of all. A cube that no such lemma excludes is given up for a larger one, in
//! which one thread's part of the state is open; there may be several to choose among.

use rustc_hash::{FxHashMap, FxHashSet};
use system::term::{Substitution, Term};
use system::transition_system::Reason;

use super::CtigarSearch;
use super::cube::{Cube, Literal, Predicate};
use super::queries::Consecution;
use super::step_relation::StepRelation;

/// Threads that are alike: by thread, its state variables. Variables of different threads at the same position in these lists
/// correspond.
pub type Family = Vec<Vec<Term>>;

/// The threads of all families.
#[derive(Debug, Default)]
pub(super) struct Families {
    /// By position in the state: the thread that the variable belongs to.
    owners: Vec<Option<usize>>,
    /// By number of the thread: its family.
    families: Vec<usize>,
    /// How many threads a lemma may speak of.
    width: usize,
    /// Exchanges of two threads.
    exchanges: Vec<Exchange>,
}

#[derive(Debug)]
struct Exchange {
    renamed: Substitution,
    images: FxHashMap<Predicate, Literal>,
}

impl Families {
    pub(super) fn new(step: &StepRelation, families: &[Family]) -> Self {
        let mut found = Self::default();
        let positions: FxHashMap<Term, usize> = step.state.iter().copied().zip(0..).collect();
        found.owners = vec![None; step.state.len()];
        for (number, family) in families.iter().enumerate() {
            for variables in family {
                let thread = found.families.len();
                found.families.push(number);
                for variable in variables {
                    found.owners[positions[variable]] = Some(thread);
                }
            }
            for (position, first) in family.iter().enumerate() {
                for second in &family[..position] {
                    let pairs = first.iter().zip(second);
                    let images = pairs.flat_map(|(&one, &other)| [(one, other), (other, one)]);
                    found.exchanges.push(Exchange {
                        renamed: Substitution::new(images.collect()),
                        images: FxHashMap::default(),
                    });
                }
            }
        }
        let members = families.iter().map(Vec::len);
        found.width = members.min().map_or(usize::MAX, |members| members - 1);
        found
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.families.is_empty()
    }
}

impl CtigarSearch<'_> {
    /// The threads of families that a cube speaks of.
    fn members_of(&self, cube: &Cube) -> FxHashSet<usize> {
        let support = cube
            .iter()
            .flat_map(|literal| self.predicates.support(literal.predicate()));
        support
            .filter_map(|&position| self.families.owners[position])
            .collect()
    }

    /// Whether a lemma may exclude a cube.
    pub(super) fn is_narrow(&self, cube: &Cube) -> bool {
        self.families.is_empty() || self.members_of(cube).len() <= self.families.width
    }

    /// The parts of a cube that speak of as many threads as a lemma may.
    fn parts(&self, cube: &Cube) -> Vec<Cube> {
        let mut members: Vec<usize> = self.members_of(cube).into_iter().collect();
        members.sort_unstable();
        subsets(&members, self.families.width)
            .into_iter()
            .map(|kept| {
                cube.filter(|literal| {
                    let support = self.predicates.support(literal.predicate()).iter();
                    let mut owners = support.filter_map(|&at| self.families.owners[at]);
                    owners.all(|owner| kept.contains(&owner))
                })
            })
            .collect()
    }

    /// A part of a blocked cube that a lemma may exclude, and that is blocked, too; else what there is to choose among.
    pub(super) fn narrowed(
        &mut self,
        level: usize,
        number: usize,
        core: &Cube,
    ) -> Result<Result<Cube, Vec<Cube>>, Reason> {
        let state = self.obligations.get(number).state.clone();
        let Self {
            system,
            step,
            predicates,
            ..
        } = self;
        let all = predicates.abstraction(&system.terms, step, &state);
        let (few, all) = (self.parts(core), self.parts(&all));
        for part in few.iter().chain(&all) {
            if self.initial_core(part)?.is_some()
                && let Consecution::Blocked(core) = self.consecution(level - 1, part)?
            {
                return self.initiated(part, core).map(Ok);
            }
        }
        let mut choices = Vec::new();
        for part in all {
            if self.initial_core(&part)?.is_some() {
                choices.push(part);
            }
        }
        Ok(Err(choices))
    }

    /// Makes an obligation the next larger one that may be blocked instead.
    pub(super) fn widen(&mut self, number: usize, level: usize) -> Result<(), Reason> {
        match self.obligations.next_choice(number) {
            true => {
                self.obligations.reopen(number, level);
                Ok(())
            }
            false => Err(not_narrow()),
        }
    }

    /// A run leads through obligations, each a step behind the one before, up to a violation. If some of them are choices, and so larger
    /// than what leads to the violation, another choice is made; whether there are some.
    pub(super) fn choose_otherwise(&mut self, chain: &[usize]) -> Result<bool, Reason> {
        let is_choice = |&(_, &link): &(usize, &usize)| self.obligations.get(link).is_choice;
        let choices = chain.iter().enumerate().filter(is_choice);
        let choices: Vec<(usize, usize)> = choices.map(|(steps, &link)| (steps, link)).collect();
        for &(steps, link) in &choices {
            self.obligations.close(link);
            if self.obligations.next_choice(link) {
                let level = steps.clamp(1, self.frames.top());
                self.obligations.reopen(link, level);
                return Ok(true);
            }
        }
        match choices.is_empty() {
            true => Ok(false),
            false => Err(not_narrow()),
        }
    }

    /// The cube, and what it is if threads of families are exchanged.
    pub(super) fn orbit(&mut self, cube: Cube) -> Vec<Cube> {
        let mut orbit = vec![cube];
        let mut looked_at = 0;
        while looked_at < orbit.len() {
            for exchange in 0..self.families.exchanges.len() {
                let image = orbit[looked_at].clone();
                let image: Cube = image
                    .iter()
                    .map(|literal| self.exchanged(exchange, literal))
                    .collect();
                if !orbit.contains(&image) {
                    orbit.push(image);
                }
            }
            looked_at += 1;
        }
        orbit
    }

    fn exchanged(&mut self, exchange: usize, literal: Literal) -> Literal {
        let predicate = literal.predicate();
        let Exchange { renamed, images } = &mut self.families.exchanges[exchange];
        let image = images.get(&predicate).copied().unwrap_or_else(|| {
            let term = self.predicates.now(predicate.literal(true));
            let term = renamed.apply(&mut self.system.terms, term);
            let image = self.predicates.intern(self.system, &mut self.step, term);
            images.insert(predicate, image);
            image
        });
        match literal.value() {
            true => image,
            false => !image,
        }
    }

    /// Makes a predicate part of the precision, and with it what it is if threads of families are exchanged.
    pub(super) fn activate(&mut self, predicate: Predicate) {
        let alone = [predicate.literal(true)].into_iter().collect();
        for image in self.orbit(alone) {
            for literal in image.iter() {
                if self.predicates.activate(literal.predicate()) {
                    self.counts.predicates += 1;
                }
            }
        }
    }
}

/// Why a search for a proof about few threads of any number ends.
fn not_narrow() -> Reason {
    let reason = "no proof is about so few threads of any number at a time";
    Reason::NotApplicable(reason.to_owned())
}

/// All sets of so many of these numbers.
fn subsets(numbers: &[usize], size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let Some((&first, rest)) = numbers.split_first() else {
        return Vec::new();
    };
    let mut with = subsets(rest, size - 1);
    with.iter_mut().for_each(|set| set.push(first));
    with.extend(subsets(rest, size));
    with
}
