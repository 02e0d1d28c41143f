//! Properties of the system: errors, and every limit that makes the system have fewer runs than the program.

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::InstanceId;
use program::model::{self, HeapSite, LimitKind, Program};
use system::term::{Term, Terms};
use system::transition_system::{Property, Role};

use crate::context::EncodingContext;
use crate::execute::Stop;
use crate::program_counter::ProgramCounter;
use crate::semantics::sink::{NotEncoded, Sink};

/// A limit, wherever and by whomever it is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// Of the program.
    Program(LimitKind),
    /// Of the encoding.
    Encoding(NotEncoded),
}

impl Limit {
    /// The limit that a sink stands for.
    pub fn of(sink: Sink) -> Option<Self> {
        match sink {
            Sink::Limit { kind, .. } => Some(Self::Program(kind)),
            Sink::NotEncoded { what, .. } => Some(Self::Encoding(what)),
            Sink::Exited | Sink::Error(_) | Sink::Halted | Sink::Blocked => None,
        }
    }
}

/// The properties of the program first, then one for each limit that may be met.
pub fn properties(
    context: &EncodingContext<'_>,
    counters: &BTreeMap<InstanceId, ProgramCounter>,
    terms: &mut Terms,
) -> Vec<Property> {
    let property = |meaning| match meaning {
        PropertyMeaning::Violation(violated) => Property {
            name: format!("violation of {violated}"),
            role: Role::Violation,
            bad: somebody(counters, terms, |sink| sink == Sink::Error(violated)),
        },
        PropertyMeaning::Limit(limit) => Property {
            name: describe(context.program, limit),
            role: Role::Limit,
            bad: somebody(counters, terms, |sink| Limit::of(sink) == Some(limit)),
        },
    };
    meanings(&context.program.properties, counters)
        .map(property)
        .collect()
}

/// What a property of the system is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyMeaning {
    /// The program violates this property.
    Violation(model::Property),
    /// The system has fewer runs than the program.
    Limit(Limit),
}

/// What each property of the system is about, in their order, where these are to be verified of the program.
pub fn meanings(
    properties: &BTreeSet<model::Property>,
    counters: &BTreeMap<InstanceId, ProgramCounter>,
) -> impl Iterator<Item = PropertyMeaning> {
    let violations = properties.iter().copied();
    let limits = limits(counters).into_iter();
    violations
        .map(PropertyMeaning::Violation)
        .chain(limits.map(PropertyMeaning::Limit))
}

/// The limits that may be met.
pub fn limits(counters: &BTreeMap<InstanceId, ProgramCounter>) -> BTreeSet<Limit> {
    let stops = counters.values().flat_map(|counter| counter.stops());
    stops
        .filter_map(|stop| match stop {
            Stop::Sink(sink) => Limit::of(*sink),
            Stop::Cut(_) => None,
        })
        .collect()
}

fn somebody(
    counters: &BTreeMap<InstanceId, ProgramCounter>,
    terms: &mut Terms,
    wanted: impl Fn(Sink) -> bool,
) -> Term {
    let at = |stop| matches!(stop, Stop::Sink(sink) if wanted(sink));
    let threads: Vec<Term> = counters
        .values()
        .map(|counter| counter.is_at_any(terms, at))
        .collect();
    terms.or_all(threads)
}

/// What the user reads: the reason, and the option that lifts the limit.
pub fn describe(program: &Program, limit: Limit) -> String {
    match limit {
        Limit::Program(LimitKind::Undefined) => {
            "undefined behaviour (invalid memory access, division by zero, unknown thread)"
                .to_owned()
        }
        Limit::Program(LimitKind::Threads) => {
            "more threads than enumerated (raise --threads)".to_owned()
        }
        Limit::Program(LimitKind::Heap) => {
            format!(
                "more heap objects than enumerated (raise --heap), or one of a computed size above {} bytes",
                HeapSite::RESERVED
            )
        }
        Limit::Program(LimitKind::Recursion) => {
            "deeper recursion than unrolled (raise --recursion)".to_owned()
        }
        Limit::Program(LimitKind::Unsupported(construct)) => {
            let construct = &program.unsupported[construct];
            let site = &program.sites[construct.site];
            format!(
                "unsupported {} at {}:{}",
                construct.what, site.file, site.line
            )
        }
        Limit::Encoding(NotEncoded::LargeObject) => {
            "an access to an object of too many parts (raise --cells)".to_owned()
        }
        Limit::Encoding(NotEncoded::UnknownAddress) => {
            "an access through an address that the pointer analysis cannot follow".to_owned()
        }
        Limit::Encoding(NotEncoded::UnreadObject) => {
            "an access that may be to an object of which not everything is read".to_owned()
        }
    }
}
