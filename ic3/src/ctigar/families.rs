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
use super::obligations::Choice;
use super::queries::Consecution;
use super::step_relation::StepRelation;

/// Threads that are alike: by thread, its state variables. Variables of different threads at the same position in these lists
/// correspond.
pub type Family = Vec<Vec<Term>>;

/// The threads of all families.
#[derive(Debug, Default)]
pub(super) struct Families {
    /// By position in the state: the thread that the variable belongs to, and where among those of the thread.
    owners: Vec<Option<(usize, usize)>>,
    /// How many threads there are.
    threads: usize,
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
        for family in families {
            for variables in family {
                let thread = found.threads;
                found.threads += 1;
                for (at, variable) in variables.iter().enumerate() {
                    found.owners[positions[variable]] = Some((thread, at));
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

    /// Whether a relation of two variables may be worth knowing: of different threads, that is one of corresponding variables.
    pub(super) fn may_relate(&self, one: usize, other: usize) -> bool {
        match (self.owners[one], self.owners[other]) {
            (Some((first, at)), Some((second, position))) => first == second || at == position,
            (None, _) | (_, None) => true,
        }
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.threads == 0
    }

    /// The thread that a variable belongs to.
    fn owner(&self, position: usize) -> Option<usize> {
        self.owners[position].map(|(thread, _)| thread)
    }
}

impl CtigarSearch<'_> {
    /// The threads of families that a cube speaks of.
    fn members_of(&self, cube: &Cube) -> FxHashSet<usize> {
        let support = cube
            .iter()
            .flat_map(|literal| self.predicates.support(literal.predicate()));
        support
            .filter_map(|&position| self.families.owner(position))
            .collect()
    }

    /// Whether a lemma may exclude a cube.
    pub(super) fn is_narrow(&self, cube: &Cube) -> bool {
        self.families.is_empty() || self.members_of(cube).len() <= self.families.width
    }

    /// The parts of a cube that speak of as many threads as a lemma may.
    fn parts(&self, cube: &Cube) -> Vec<Cube> {
        let members: Vec<usize> = (0..self.families.threads).collect();
        subsets(&members, self.families.width)
            .into_iter()
            .map(|kept| self.about(cube, |thread| kept.contains(&thread)))
            .collect()
    }

    /// The literals of a cube that speak of no other threads of families than these.
    fn about(&self, cube: &Cube, is_kept: impl Fn(usize) -> bool) -> Cube {
        cube.filter(|literal| {
            let support = self.predicates.support(literal.predicate()).iter();
            let mut owners = support.filter_map(|&at| self.families.owner(at));
            owners.all(&is_kept)
        })
    }

    /// The literals that the abstraction of an obligation may consist of: where one of several larger sets of states is to be blocked, those
    /// about the threads of families that this one is about.
    pub(super) fn admitted(&self, number: usize, literals: &Cube) -> Cube {
        let obligation = self.obligations.get(number);
        if !obligation.is_choice {
            return literals.clone();
        }
        let members = self.members_of(&obligation.concrete);
        self.about(literals, |thread| members.contains(&thread))
    }

    /// A part of a blocked cube that a lemma may exclude, and that is blocked, too; else what there is to choose among.
    pub(super) fn narrowed(
        &mut self,
        level: usize,
        number: usize,
        core: &Cube,
    ) -> Result<Result<Cube, Vec<Choice>>, Reason> {
        let state = self.obligations.get(number).state.clone();
        let Self {
            system,
            step,
            predicates,
            ..
        } = self;
        let all = predicates.abstraction(&system.terms, step, &state);
        let exact: Cube = predicates.exact(&state).collect();
        let (few, all, exact) = (self.parts(core), self.parts(&all), self.parts(&exact));
        for part in few.iter().chain(&all) {
            if self.initial_core(part)?.is_some()
                && let Consecution::Blocked(core) = self.consecution(level - 1, part)?
            {
                return self.initiated(part, core).map(Ok);
            }
        }
        let mut choices = Vec::new();
        let obligation = self.obligations.get(number);
        let concrete = self.parts(&obligation.concrete).into_iter();
        let larger = concrete.zip(self.parts(&obligation.cube));
        let larger: Vec<(Cube, Cube)> = larger.collect();
        for (concrete, cube) in larger.into_iter().chain(exact.into_iter().zip(all)) {
            if self.initial_core(&concrete)?.is_some() {
                choices.push(Choice { concrete, cube });
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
