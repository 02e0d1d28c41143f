//! What threads do to the variables that they share.
//!
//! An [`Event`] is what one thread does indivisibly: all statements from one external location to the next. The paper's events are single
//! accesses; here an event has a read for each variable whose value before it needs, and a write for each that it changes. So no order of
//! events ever tears apart what is indivisible, such as an atomic region.

use std::collections::BTreeMap;

use abi::ids::InstanceId;
use cranelift_entity::{PrimaryMap, entity_impl};
use encode::semantics::inputs::{Counters, Inputs};
use encode::semantics::path::Variable;
use encode::semantics::sink::Sink;
use system::term::{Term, Value};

use crate::loops::{Loop, Position};

/// An event. The first one stands for the initial values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(u32);
entity_impl!(EventId, "event");

impl EventId {
    /// The event that writes the initial values, before all others.
    pub const FIRST: Self = Self(0);
}

/// What a thread does indivisibly.
#[derive(Clone, Debug)]
pub struct Event {
    /// Who; no thread writes the initial values.
    pub instance: Option<InstanceId>,
    /// Its number in the thread, in an order that all ways through the unwinding keep.
    pub number: u32,
    /// Whether it happens; Boolean.
    pub guard: Term,
    /// Conditions that hold if it happens.
    pub conditions: Vec<Term>,
    /// What it needs to know.
    pub reads: Vec<Read>,
    /// What it changes.
    pub writes: Vec<Write>,
}

impl Event {
    /// What it needs to know of a variable, if it does.
    pub fn read(&self, variable: Variable) -> Option<&Read> {
        self.reads.iter().find(|read| read.variable == variable)
    }
}

/// A variable whose value before an event the event needs.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    /// The variable.
    pub variable: Variable,
    /// A symbol for its value.
    pub value: Term,
    /// How many bits of it are looked at, if these are not all.
    pub bits: Option<u32>,
    /// The only value with which the event happens, if there is one.
    pub expected: Option<Value>,
}

/// A variable that an event changes.
#[derive(Clone, Debug)]
pub struct Write {
    /// The variable.
    pub variable: Variable,
    /// Whether it does; implies that the event happens.
    pub guard: Term,
    /// The conditions that it does under, if it is known that it does under them.
    pub conditions: Option<Vec<Term>>,
    /// What the variable holds then.
    pub value: Term,
}

/// Where a thread does not go on.
#[derive(Clone, Debug)]
pub struct End {
    /// Who.
    pub instance: InstanceId,
    /// Why.
    pub kind: EndKind,
    /// The last event of the thread that accesses something, when it comes there.
    pub event: Option<EventId>,
    /// Whether that may have happened in part: then no thread goes on.
    pub partial: bool,
    /// When; Boolean.
    pub guard: Term,
}

/// Why a thread does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EndKind {
    /// As in the program.
    Sink(Sink),
    /// The loop is not unwound further.
    Unwinding(Loop),
    /// More is written to a variable than the bits that are looked at. The thread goes on with these.
    TooWide(Variable),
}

impl EndKind {
    /// The loop that is not unwound further, if that is why.
    pub fn unwound(self) -> Option<Loop> {
        match self {
            Self::Unwinding(which) => Some(which),
            Self::Sink(_) | Self::TooWide(_) => None,
        }
    }

    /// Why in the program, if that is why.
    pub fn sink(self) -> Option<Sink> {
        match self {
            Self::Sink(sink) => Some(sink),
            Self::Unwinding(_) | Self::TooWide(_) => None,
        }
    }
}

/// Where a thread is: the same position is several places if it is inside of several events.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The position.
    pub position: Position,
    /// Where the event began that the thread is inside of, unless it begins here.
    pub entered: Option<Position>,
}

impl Place {
    /// Where the event begins that the thread is in.
    pub fn begins(&self) -> &Position {
        self.entered.as_ref().unwrap_or(&self.position)
    }

    /// The next place, at a position where the event goes on or ends.
    pub fn next(&self, position: Position, goes_on: bool) -> Self {
        Self {
            position,
            entered: goes_on.then(|| self.begins().clone()),
        }
    }
}

/// What a symbol stands for that may be less than was written.
#[derive(Clone, Copy, Debug)]
pub struct Narrowed {
    /// What was written.
    pub value: Term,
    /// The bits that are looked at.
    pub bits: Term,
    /// The end that says that these are not all.
    pub end: usize,
}

/// What a thread does at a place of its unwinding.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The inputs that were used up before.
    pub counters: Counters,
    /// The event that it is a part of, if it is part of one.
    pub event: Option<EventId>,
}

/// A thread, unwound and executed symbolically.
#[derive(Clone, Debug)]
pub struct UnwoundThread {
    /// Its events in their order.
    pub events: Vec<EventId>,
    /// Where it may come.
    pub visits: BTreeMap<Place, Visit>,
    /// Nondeterministic values.
    pub inputs: Inputs,
}

/// All threads of a program, unwound within bounds.
#[derive(Clone, Debug)]
pub struct Unwinding {
    /// What they do. The first event has a write for each variable that is read.
    pub events: PrimaryMap<EventId, Event>,
    /// The threads that may run.
    pub threads: BTreeMap<InstanceId, UnwoundThread>,
    /// Where threads end that violate something or meet a limit.
    pub ends: Vec<End>,
    /// What holds if a symbol does that lets a thread go on, where it may have to wait.
    pub waits: BTreeMap<Term, Term>,
    /// What symbols stand for that may be less than was written.
    pub narrowed: BTreeMap<Term, Narrowed>,
    /// How many bits of variables have to be looked at because of what is surely written.
    pub evident_widths: BTreeMap<Variable, u32>,
    /// The events behind which a thread begins: the only one that may create it, if there is one.
    pub creations: BTreeMap<InstanceId, EventId>,
    /// Symbols for what variables hold at first, where that is arbitrary.
    pub first: BTreeMap<Variable, Term>,
}
