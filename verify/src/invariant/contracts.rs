//! What threads rely on and guarantee in a proof.

use std::collections::{BTreeMap, BTreeSet};

use ::modular::{Guarantee, ThreadedSystem, guarantees};
use abi::ids::InstanceId;
use serde::Serialize;
use solver::Backend;
use system::budget::Budget;
use system::term::{Binary, Term};
use system::transition_system::TransitionSystem;

use super::expression::Printer;
use super::places::Places;
use super::{about_the_first, parts, representatives};
use crate::task::Task;

/// What a thread relies on and guarantees. A condition that is kept holds after a move if it did before; `whether` it holds is kept if the
/// same is true of its negation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Contract {
    /// The thread.
    pub thread: String,
    /// The conditions in lemmas about the thread that all other threads keep.
    pub relies_on: Vec<String>,
    /// The conditions that others rely on, as far as the thread accesses them: it keeps them.
    pub guarantees: Vec<String>,
}

/// What the threads of a proof rely on and guarantee: conditions on global variables in the lemmas. Where the budget is exhausted, less is
/// known.
pub(crate) fn contracts(
    task: &Task,
    (system, invariant): (&TransitionSystem, Term),
    budget: &Budget,
) -> Vec<Contract> {
    let encoding = &task.encoded().encoding;
    let numbers = encoding.places.iter().map(|place| place.number);
    let numbers: Vec<Term> = numbers.collect();
    let split = ThreadedSystem::split(system.clone(), encoding.scheduler, &numbers, budget);
    let Ok(mut threaded) = split else {
        return Vec::new();
    };
    let places = Places::new(task);
    // A thread that is at one place for good has no name here.
    let instance = |&place: &Term| places.thread(&system.terms, place);
    let instances: Vec<Option<InstanceId>> = numbers.iter().map(instance).collect();
    let asked = asked(&threaded, (&places, &instances), invariant);
    let conditions: Vec<Term> = asked.keys().copied().collect();
    let with = (Backend::default(), budget);
    let found = guarantees(&mut threaded, invariant, &conditions, with);
    let printer = Printer::new(task, &threaded.system.terms);
    let written = |thread: usize, condition: Term| {
        let symbols = threaded.system.terms.cone(&[condition]);
        let moves = threaded.threads[thread].moves.iter();
        let mut updates = moves.flat_map(|part| &part.updates);
        updates.any(|&(position, _)| symbols.contains(&threaded.system.state[position].current))
    };
    let all = 0..threaded.threads.len();
    // What each thread relies on.
    let relied: Vec<Vec<(Term, Guarantee)>> = all
        .clone()
        .map(|thread| {
            let of_thread = asked.values().zip(conditions.iter().copied()).enumerate();
            let of_thread = of_thread.filter(|(_, (threads, _))| threads.contains(&thread));
            let kept = of_thread.map(|(position, (_, condition))| {
                let others = all.clone().filter(|&other| other != thread);
                let others = others.map(|other| found[other][position]);
                (condition, others.reduce(Guarantee::and).unwrap_or_default())
            });
            kept.collect()
        })
        .collect();
    let named = all
        .clone()
        .filter_map(|thread| Some((thread, instances[thread]?)));
    let contracts = named.map(|(thread, instance)| {
        let others = all.clone().filter(|&other| other != thread);
        let needed = others.flat_map(|other| relied[other].iter().copied());
        let needed: BTreeMap<Term, Guarantee> = needed
            .filter(|&(condition, _)| written(thread, condition))
            .fold(BTreeMap::new(), |mut all, (condition, kept)| {
                let before: &mut Guarantee = all.entry(condition).or_default();
                *before = before.or(kept);
                all
            });
        let told = |kept: &mut dyn Iterator<Item = (Term, Guarantee)>| {
            kept.filter_map(|(condition, kept)| words(&printer, condition, kept))
                .collect()
        };
        Contract {
            thread: places.thread_name(instance).to_owned(),
            relies_on: told(&mut relied[thread].iter().copied()),
            guarantees: told(&mut needed.into_iter()),
        }
    });
    let representatives = representatives(task);
    let others = |contract: &Contract| {
        let mut families = representatives.iter();
        families.any(|family| {
            family[1..]
                .iter()
                .any(|name| contract.thread.starts_with(name))
        })
    };
    contracts
        .filter(|contract| !others(contract))
        .filter(|contract| !contract.relies_on.is_empty() || !contract.guarantees.is_empty())
        .map(|mut contract| {
            for text in contract
                .relies_on
                .iter_mut()
                .chain(&mut contract.guarantees)
            {
                *text = about_the_first(std::mem::take(text), &representatives);
            }
            contract
        })
        .collect()
}

/// The conditions on global variables in the lemmas of an invariant, each with the threads that the lemmas are about.
fn asked(
    threaded: &ThreadedSystem,
    (places, instances): (&Places, &[Option<InstanceId>]),
    invariant: Term,
) -> BTreeMap<Term, BTreeSet<usize>> {
    let terms = &threaded.system.terms;
    let state = threaded
        .system
        .state
        .iter()
        .map(|variable| variable.current);
    let owners: BTreeMap<Term, Option<usize>> =
        state.zip(threaded.owners.iter().copied()).collect();
    let mut asked: BTreeMap<Term, BTreeSet<usize>> = BTreeMap::new();
    for clause in parts(terms, (invariant, true), Binary::And) {
        let mut about = BTreeSet::new();
        let mut conditions = Vec::new();
        for (literal, _) in parts(terms, clause, Binary::Or) {
            if let Some(thread) = places.thread(terms, literal) {
                about.extend(instances.iter().position(|&other| other == Some(thread)));
                continue;
            }
            let cone = terms.cone(&[literal]).into_iter();
            let symbols = cone.filter_map(|term| owners.get(&term).copied());
            let owners: BTreeSet<Option<usize>> = symbols.collect();
            about.extend(owners.iter().flatten());
            if owners.iter().all(Option::is_none) && !places.are_asked(terms, literal) {
                conditions.push(literal);
            }
        }
        for condition in conditions {
            asked.entry(condition).or_default().extend(&about);
        }
    }
    asked
}

/// What is kept of a condition; nothing, if neither it nor its negation is.
fn words(printer: &Printer<'_>, condition: Term, kept: Guarantee) -> Option<String> {
    let Guarantee {
        keeps_it,
        keeps_its_negation,
    } = kept;
    let text = |holds| printer.literal((condition, holds));
    match (keeps_it, keeps_its_negation) {
        (true, true) => Some(format!("whether {}", text(true))),
        (true, false) => Some(text(true)),
        (false, true) => Some(text(false)),
        (false, false) => None,
    }
}
