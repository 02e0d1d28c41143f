//! Unwinds all threads of a program: who is created first, is executed first.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use abi::ids::InstanceId;
use cranelift_entity::PrimaryMap;
use encode::constant_propagation::Knowledge;
use encode::context::EncodingContext;
use encode::layout::Writers;
use encode::semantics::path::Variable;
use instrument::Concurrency;
use system::budget::Budget;
use system::term::{Term, Terms};

use crate::event::{End, Event, EventId, Narrowed, Unwinding, UnwoundThread, Visit, Write};
use crate::execution::{Beginning, Creation, ExecutedThread, Setting, execute};
use crate::loops::{Forests, UnwindingBounds};
use crate::memory::{FirstValues, Inheritance};
use crate::widths::{Narrowing, Widths};

/// Unwinds all threads that may run, as far as the budget allows.
pub fn unwind(
    context: &EncodingContext<'_>,
    (concurrency, known): (&Concurrency, &Knowledge),
    forests: &Forests,
    (bounds, widths): (&UnwindingBounds, &Widths),
    (terms, budget): (&mut Terms, &Budget),
) -> Unwinding {
    let first = FirstValues::new(context, known);
    let narrowing = Narrowing::new(widths);
    let setting = Setting {
        context,
        concurrency,
        first: &first,
        bounds,
        narrowing: &narrowing,
        budget,
    };
    let mut threads = Threads {
        setting,
        forests,
        terms,
        executed: BTreeMap::new(),
        numbers: BTreeMap::new(),
        inherited: BTreeMap::new(),
        unwinding: Unwinding {
            events: PrimaryMap::new(),
            threads: BTreeMap::new(),
            ends: Vec::new(),
            waits: BTreeMap::new(),
            narrowed: BTreeMap::new(),
            evident_widths: BTreeMap::new(),
            creations: BTreeMap::new(),
            first: BTreeMap::new(),
        },
    };
    threads.run();
    threads.write_first_values();
    let unwinding = threads.unwinding;
    Unwinding {
        first: first.into_arbitrary(),
        ..unwinding
    }
}

struct Threads<'a> {
    setting: Setting<'a>,
    forests: &'a Forests,
    terms: &'a mut Terms,
    executed: BTreeMap<InstanceId, ExecutedThread>,
    /// The events of threads, by their numbers there.
    numbers: BTreeMap<InstanceId, Vec<Option<EventId>>>,
    inherited: BTreeMap<InstanceId, Rc<Inheritance>>,
    unwinding: Unwinding,
}

impl Threads<'_> {
    fn run(&mut self) {
        let always = self.terms.bool(true);
        self.unwinding.events.push(Event {
            instance: None,
            number: 0,
            guard: always,
            conditions: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
        });
        let mut open = VecDeque::from([self.setting.context.instances.main()]);
        let mut seen: BTreeSet<InstanceId> = open.iter().copied().collect();
        while let Some(instance) = open.pop_front() {
            let beginning = self.beginning(instance);
            let template = self.setting.context.instances.threads[instance].template;
            let inherited = self.inherited.get(&instance).cloned();
            let executed = execute(
                self.setting,
                self.terms,
                &self.forests[template],
                (instance, &beginning),
                inherited,
            );
            let creations = executed.creations.iter();
            open.extend(
                creations.filter_map(|&(created, _)| seen.insert(created).then_some(created)),
            );
            self.add(instance, executed);
        }
    }

    /// How a thread comes to be; the threads that may create it were executed unless there are several.
    fn beginning(&mut self, instance: InstanceId) -> Beginning {
        let context = self.setting.context;
        if instance == context.instances.main() {
            return Beginning::Program;
        }
        let started = Variable::Started(instance);
        let Writers::One(creator) = context.writers(started) else {
            return Beginning::Any;
        };
        let Some((event, written)) = self.creation(creator, instance) else {
            return Beginning::Any;
        };
        let Some(id) = self.numbers[&creator][event] else {
            return Beginning::Any;
        };
        let writes = &self.unwinding.events[id].writes;
        let write = |variable| {
            let mut writes = writes
                .iter()
                .filter(move |write| write.variable == variable);
            writes.next().filter(|_| writes.next().is_none())
        };
        let Some(&Write { guard, value, .. }) = write(started) else {
            return Beginning::Any;
        };
        let mut parameter = None;
        if let Some(register) = context.parameter(instance) {
            match write(Variable::Register(instance, register)) {
                Some(write) => parameter = Some((register, write.value)),
                None => return Beginning::Any,
            }
        }
        let written = written.clone();
        let rewritten = self.written_from(creator, event);
        let of_creator = self.inherited.get(&creator).cloned();
        self.inherited.insert(
            instance,
            Rc::new(Inheritance {
                creator,
                written,
                rewritten,
                of_creator,
            }),
        );
        self.unwinding.creations.insert(instance, id);
        let guard = self.terms.and(guard, value);
        Beginning::Created(guard, parameter)
    }

    /// The only event of a creator that may create a thread.
    fn creation(
        &self,
        creator: InstanceId,
        instance: InstanceId,
    ) -> Option<(usize, &BTreeMap<Variable, Term>)> {
        let all = self.executed.get(&creator)?.creations.iter();
        let mut of_instance = all.filter(|(created, _)| *created == instance);
        let (_, Creation { event, written }) = of_instance.next()?;
        of_instance.next().is_none().then_some((*event, written))
    }

    /// What a thread writes from an event on.
    fn written_from(&self, creator: InstanceId, event: usize) -> BTreeSet<Variable> {
        let later = self.numbers[&creator][event..].iter().flatten();
        let writes = later.flat_map(|&id| &self.unwinding.events[id].writes);
        writes.map(|write| write.variable).collect()
    }

    /// Adds the events of a thread that access something.
    fn add(&mut self, instance: InstanceId, mut executed: ExecutedThread) {
        let mut numbers = Vec::new();
        let mut events = Vec::new();
        for (number, event) in executed.events.drain(..).enumerate() {
            let accesses = !event.reads.is_empty() || !event.writes.is_empty();
            let guard = event.guard.filter(|_| accesses || number == 0);
            numbers.push(guard.map(|guard| {
                let id = self.unwinding.events.push(Event {
                    instance: Some(instance),
                    number: events.len() as u32,
                    guard,
                    conditions: event.conditions,
                    reads: event.reads,
                    writes: event.writes,
                });
                events.push(id);
                id
            }));
        }
        let visits = std::mem::take(&mut executed.visits).into_iter();
        let visits = visits.map(|(place, (counters, number))| {
            let event = numbers[number];
            (place, Visit { counters, event })
        });
        let thread = UnwoundThread {
            events,
            visits: visits.collect(),
            inputs: std::mem::take(&mut executed.inputs),
        };
        self.unwinding.threads.insert(instance, thread);
        let before = self.unwinding.ends.len();
        let narrowed = std::mem::take(&mut executed.narrowed).into_iter();
        self.unwinding
            .narrowed
            .extend(narrowed.map(|(symbol, narrowed)| {
                let end = before + narrowed.end;
                (symbol, Narrowed { end, ..narrowed })
            }));
        for (variable, width) in std::mem::take(&mut executed.evident_widths) {
            let known = self.unwinding.evident_widths.entry(variable).or_default();
            *known = width.max(*known);
        }
        let ends = std::mem::take(&mut executed.ends).into_iter();
        self.unwinding.ends.extend(ends.map(|end| End {
            instance,
            kind: end.kind,
            event: numbers[..=end.event].iter().rev().find_map(|&event| event),
            partial: end.partial,
            guard: end.guard,
        }));
        self.unwinding.waits.append(&mut executed.waits);
        self.numbers.insert(instance, numbers);
        self.executed.insert(instance, executed);
    }

    /// Lets the first event write what is read.
    fn write_first_values(&mut self) {
        let events = self.unwinding.events.values();
        let read = events.flat_map(|event| &event.reads);
        let variables: BTreeSet<Variable> = read.map(|read| read.variable).collect();
        for variable in variables {
            let value = self.setting.first.of(self.terms, variable);
            let guard = self.terms.bool(true);
            self.unwinding.events[EventId::FIRST].writes.push(Write {
                variable,
                guard,
                conditions: Some(Vec::new()),
                value,
            });
        }
    }
}
