//! Program counters as places in the source.

use std::collections::BTreeMap;

use abi::ids::{InstanceId, SiteId};
use encode::execute::Stop;
use encode::semantics::sink::Sink;
use program::model::{LocationId, Template};
use system::eval::evaluate;
use system::term::{Term, Terms, Value};

use super::literal::Literal;
use crate::task::Task;

/// The places of all threads.
pub struct Places {
    threads: BTreeMap<InstanceId, Thread>,
    /// The threads by their program counters.
    counters: BTreeMap<Term, InstanceId>,
}

struct Thread {
    name: String,
    counter: Term,
    /// What the values of the program counter mean.
    places: BTreeMap<u128, String>,
}

impl Places {
    /// The places of a program.
    pub fn new(task: &Task) -> Self {
        let terms = &task.encoded().encoding.system.terms;
        let mut threads = BTreeMap::new();
        for (&instance, counter) in task.encoded().encoding.back.counters() {
            let Some(name) = terms.symbol_name(counter.term) else {
                continue;
            };
            let name = name.strip_suffix(".pc").unwrap_or(name).to_owned();
            let stops = counter.stops().iter();
            let stops = stops.map(|&stop| (counter.number(stop), stop));
            let mut places = describe(task, instance, stops);
            if counter.stop(0).is_none() {
                places.insert(0, "not started".to_owned());
            }
            let counter = counter.term;
            let thread = Thread {
                name,
                counter,
                places,
            };
            threads.insert(instance, thread);
        }
        let counters = threads.iter();
        let counters = counters.map(|(&instance, thread)| (thread.counter, instance));
        Self {
            counters: counters.collect(),
            threads,
        }
    }

    /// What a thread is called.
    pub fn thread_name(&self, thread: InstanceId) -> &str {
        &self.threads[&thread].name
    }

    /// Whether a formula depends on where threads are.
    pub fn are_asked(&self, terms: &Terms, formula: Term) -> bool {
        let cone = terms.cone(&[formula]);
        cone.iter().any(|term| self.counters.contains_key(term))
    }

    /// The thread whose program counter alone decides a formula.
    pub fn thread(&self, terms: &Terms, formula: Term) -> Option<InstanceId> {
        let cone = terms.cone(&[formula]).into_iter();
        let symbols: Vec<Term> = cone.filter(|&term| terms.is_symbol(term)).collect();
        match symbols.as_slice() {
            [counter] => self.counters.get(counter).copied(),
            _ => None,
        }
    }

    /// Where a thread may be if one of the literals holds, and where it is if none does.
    pub fn split(
        &self,
        terms: &Terms,
        thread: InstanceId,
        literals: &[Literal],
    ) -> (Vec<u128>, Vec<u128>) {
        let Thread {
            counter, places, ..
        } = &self.threads[&thread];
        let formulas: Vec<Term> = literals.iter().map(|&(formula, _)| formula).collect();
        places.keys().copied().partition(|&number| {
            let value = Value::BitVec(terms.width(*counter), number);
            let values = evaluate(terms, &formulas, &[(*counter, value)].into_iter().collect());
            let mut pairs = values.into_iter().zip(literals);
            pairs.any(|(value, &(_, holds))| value.is_true() == holds)
        })
    }

    /// A thread is at one of some places.
    pub fn name(&self, thread: InstanceId, numbers: &[u128]) -> String {
        let Thread { name, places, .. } = &self.threads[&thread];
        let places: Vec<&str> = numbers
            .iter()
            .map(|number| places[number].as_str())
            .collect();
        match places.as_slice() {
            [] => format!("{name} nowhere"),
            [place] => format!("{name} {place}"),
            places => format!("({name} {})", places.join(" or ")),
        }
    }

    /// A thread is at none of some places.
    pub fn name_not(&self, thread: InstanceId, numbers: &[u128]) -> String {
        match numbers {
            [] => format!("{} at one of its places", self.threads[&thread].name),
            numbers => format!("not {}", self.name(thread, numbers)),
        }
    }
}

/// Source lines; where several cut points share one, with their locations.
fn describe(
    task: &Task,
    instance: InstanceId,
    stops: impl Iterator<Item = (u128, Stop)>,
) -> BTreeMap<u128, String> {
    let template = task.instances.threads[instance].template;
    let template = &task.reduced.templates[template];
    let mut places = BTreeMap::new();
    let mut lines: BTreeMap<String, Vec<(u128, LocationId)>> = BTreeMap::new();
    for (number, stop) in stops {
        match stop {
            Stop::Cut(location) => {
                let line = line(task, template, location);
                lines.entry(line).or_default().push((number, location));
            }
            Stop::Sink(sink) => {
                places.insert(number, ended(sink).to_owned());
            }
        }
    }
    for (line, stops) in lines {
        let is_only = stops.len() == 1;
        for (number, location) in stops {
            let place = match is_only {
                true => format!("at {line}"),
                false => format!("at {line} ({location})"),
            };
            places.insert(number, place);
        }
    }
    places
}

/// `file:line` of what is done next.
fn line(task: &Task, template: &Template, location: LocationId) -> String {
    let mut edges = template.edges.values();
    let next = edges.find(|edge| edge.source == location);
    let place = |site: SiteId| {
        let place = task.place(site);
        place.rsplit('/').next().unwrap_or_default().to_owned()
    };
    next.map_or_else(|| location.to_string(), |edge| place(edge.site))
}

fn ended(sink: Sink) -> &'static str {
    match sink {
        Sink::Exited => "returned",
        Sink::Error(_) => "at the error",
        Sink::Halted => "after the end of the run",
        Sink::Blocked => "blocked by a false assumption",
        Sink::Limit { .. } | Sink::NotEncoded { .. } => "at a limit",
    }
}
