//! The invariant of a proof as lemmas that a person can read.
//!
//! An invariant is a conjunction of clauses. The literals of a clause about the program counter of one thread form a
//! set of places, and are shown as this set. The excluded case stands before the arrow, so that most lemmas read "while
//! these threads are there and this holds, that holds".

mod contracts;
mod expression;
mod literal;
mod places;

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::InstanceId;
use program::model::TemplateId;
use system::term::{Binary, Node, Term, Terms, Unary, signed};

pub use self::contracts::Contract;
pub(crate) use self::contracts::contracts;
use self::expression::Printer;
use self::literal::Literal;
use self::places::Places;
use crate::task::Task;

/// The lemmas of an invariant of the encoding, in the order in which it contains them, each once.
pub(crate) fn lemmas(task: &Task, terms: &Terms, invariant: Term) -> Vec<String> {
    let printer = Printer::new(task, terms);
    let places = Places::new(task);
    let representatives = representatives(task);
    let mut seen = BTreeSet::new();
    let clauses = parts(terms, (invariant, true), Binary::And).into_iter();
    let lemmas = clauses.map(|clause| lemma(&printer, &places, parts(terms, clause, Binary::Or)));
    counted(task, &printer, &places, &representatives)
        .chain(lemmas)
        .map(|lemma| about_the_first(lemma, &representatives))
        .filter(|lemma| seen.insert(lemma.clone()))
        .collect()
}

/// Which variables count threads: those that are somewhere, and what difference others make.
fn counted<'a>(
    task: &'a Task,
    printer: &'a Printer<'_>,
    places: &'a Places,
    representatives: &'a [Vec<&'a str>],
) -> impl Iterator<Item = String> + 'a {
    let counted = task.encoded().counted().into_iter();
    let counts = counted.flat_map(|counted| &counted.counting.counts);
    counts.map(|count| {
        let width = printer.terms.width(count.variable);
        let threads = count.places.iter().filter_map(|(counter, numbers)| {
            let thread = places.thread(printer.terms, *counter)?;
            let name = places.name(thread, numbers);
            Some(about_the_first(name, representatives))
        });
        let threads: BTreeSet<String> = threads.collect();
        let mut threads = Vec::from_iter(threads);
        for (counter, numbers) in &count.beside {
            let Some(thread) = places.thread(printer.terms, *counter) else {
                continue;
            };
            let mut by_number: BTreeMap<u128, Vec<u128>> = BTreeMap::new();
            for &(number, more) in numbers {
                by_number.entry(more).or_default().push(number);
            }
            let others = by_number.iter().map(|(&more, numbers)| {
                format!(
                    "{:+} where {}",
                    signed(width, more),
                    places.name(thread, numbers)
                )
            });
            threads.extend(others);
        }
        let variable = printer.literal((count.variable, true));
        let direction = if count.counts_down { "down" } else { "up" };
        let (from, threads) = (count.from, threads.join(", "));
        format!("{variable} counts threads {direction} from {from}: {threads}")
    })
}

/// The names of the threads that stand for any number of others, by family.
fn representatives(task: &Task) -> Vec<Vec<&str>> {
    let name = |&template: &TemplateId| task.program.templates[template].name.as_str();
    let families = task.program.families.iter();
    families
        .map(|family| family.iter().map(name).collect())
        .collect()
}

/// A lemma holds of all threads of a family. It is told of the first ones.
fn about_the_first(mut lemma: String, representatives: &[Vec<&str>]) -> String {
    for family in representatives {
        let told: Vec<&str> = family
            .iter()
            .copied()
            .filter(|&name| lemma.contains(name))
            .collect();
        for (name, first) in told.into_iter().zip(family) {
            lemma = lemma.replace(name, first);
        }
    }
    lemma
}

/// What a formula is the conjunction of, or the disjunction of; negations are moved inwards.
fn parts(terms: &Terms, formula: Literal, operator: Binary) -> Vec<Literal> {
    let (mut open, mut parts, mut seen) = (vec![formula], Vec::new(), BTreeSet::new());
    while let Some((term, holds)) = open.pop() {
        let node = terms.node(term);
        if let Node::Unary(Unary::Not, inner) = node {
            open.push((inner, !holds));
        } else if let Node::Binary(found @ (Binary::And | Binary::Or), a, b) = node
            && (found == operator) == holds
        {
            open.extend([(b, holds), (a, holds)]);
        } else if seen.insert((term, holds)) {
            parts.push((term, holds));
        }
    }
    parts
}

/// A disjunction as an implication; as a disjunction if it excludes nothing.
fn lemma(printer: &Printer<'_>, places: &Places, clause: Vec<Literal>) -> String {
    let (mut premises, mut conclusions) = (Vec::new(), Vec::new());
    let mut control: BTreeMap<InstanceId, Vec<Literal>> = BTreeMap::new();
    let mut data = Vec::new();
    for literal in clause {
        match places.thread(printer.terms, literal.0) {
            Some(thread) => control.entry(thread).or_default().push(literal),
            None => data.push(literal),
        }
    }
    for (thread, literals) in control {
        let (possible, excluded) = places.split(printer.terms, thread, &literals);
        if excluded.len() <= possible.len() {
            premises.push((
                places.name(thread, &excluded),
                places.name_not(thread, &excluded),
            ));
        } else {
            conclusions.push(places.name(thread, &possible));
        }
    }
    for literal in data {
        match literal {
            (formula, true) => conclusions.push(printer.literal((formula, true))),
            (formula, false) => premises.push((
                printer.literal((formula, true)),
                printer.literal((formula, false)),
            )),
        }
    }
    if conclusions.is_empty() {
        conclusions.extend(premises.pop().map(|(_, negation)| negation));
    }
    let premises: Vec<String> = premises.into_iter().map(|(premise, _)| premise).collect();
    let conclusion = conclusions.join(" or ");
    match premises.as_slice() {
        [] => conclusion,
        premises => format!("{} => {conclusion}", premises.join(" and ")),
    }
}
