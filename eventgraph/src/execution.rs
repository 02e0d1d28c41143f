//! Symbolic execution of one thread along the unwinding of its template: its events, and where it ends.

use std::collections::BTreeMap;
use std::rc::Rc;

use abi::ids::InstanceId;
use cranelift_entity::EntitySet;
use encode::blocks::Cut;
use encode::context::{Automaton, EncodingContext};
use encode::layout::Writers;
use encode::semantics::executor::Executor;
use encode::semantics::inputs::{Counters, Inputs};
use encode::semantics::memory::Memory;
use encode::semantics::path::{Path, Variable};
use encode::semantics::sink::Sink;
use instrument::Concurrency;
use program::model::{Edge, EdgeId, LocationId, LocationKind, RegisterId, Template};
use rustc_hash::FxHashMap;
use system::budget::Budget;
use system::term::{Binary, Node, Sort, Substitution, Term, Terms, Unary, Value};

use crate::event::{EndKind, Narrowed, Place, Read, Write};
use crate::loops::{Loop, LoopForest, Position, Successor, UnwindingBounds};
use crate::memory::{Current, EventMemory, FirstValues, Inheritance};
use crate::progress::Rounds;
use crate::widths::Narrowing;

/// What is known of the program before threads are executed.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// Program, threads, objects.
    pub context: &'a EncodingContext<'a>,
    /// Who may run beside whom.
    pub concurrency: &'a Concurrency,
    /// What variables hold at first.
    pub first: &'a FirstValues<'a>,
    /// How far loops are unwound.
    pub bounds: &'a UnwindingBounds,
    /// How many bits of variables are looked at.
    pub narrowing: &'a Narrowing<'a>,
    /// Where it is exhausted, threads are not executed to their ends.
    pub budget: &'a Budget,
}

/// How a thread comes to be.
pub enum Beginning {
    /// It is the one that runs `main`.
    Program,
    /// By the only event that may create it, under a condition, with this parameter.
    Created(Term, Option<(RegisterId, Term)>),
    /// By one of several.
    Any,
}

/// An event that is not among others yet.
#[derive(Debug, Default)]
pub struct LocalEvent {
    /// When it happens.
    pub guard: Option<Term>,
    /// Conditions that hold then.
    pub conditions: Vec<Term>,
    /// What it reads.
    pub reads: Vec<Read>,
    /// What it writes.
    pub writes: Vec<Write>,
    /// How it may come to an end, where it may have to wait.
    completions: Vec<Term>,
    /// What holds if it happens.
    required: Vec<Term>,
    /// The symbol that lets it happen, where it may have to wait.
    waits: Option<Term>,
    current: Current,
}

/// An end of a thread.
#[derive(Debug)]
pub struct LocalEnd {
    /// The event that it is in, by its number.
    pub event: usize,
    /// Why.
    pub kind: EndKind,
    /// Whether the event may have happened in part.
    pub partial: bool,
    /// When; Boolean.
    pub guard: Term,
}

/// A creation of a thread.
#[derive(Debug)]
pub struct Creation {
    /// The event, by its number.
    pub event: usize,
    /// What the creator had written until then.
    pub written: BTreeMap<Variable, Term>,
}

/// A thread that was executed.
#[derive(Debug)]
pub struct ExecutedThread {
    /// Its events in their order, with those that access nothing.
    pub events: Vec<LocalEvent>,
    /// The inputs that were used before each place, and the event there.
    pub visits: BTreeMap<Place, (Counters, usize)>,
    /// Where it ends.
    pub ends: Vec<LocalEnd>,
    /// What holds where a symbol lets it go on.
    pub waits: BTreeMap<Term, Term>,
    /// What symbols stand for that may be less than was written; ends by their places among those of the thread.
    pub narrowed: BTreeMap<Term, Narrowed>,
    /// How many bits of variables have to be looked at because of what is surely written.
    pub evident_widths: BTreeMap<Variable, u32>,
    /// The threads that it may create, in the order in which it does, and where.
    pub creations: Vec<(InstanceId, Creation)>,
    /// Nondeterministic values.
    pub inputs: Inputs,
}

/// Executes a thread, as far as the budget allows.
pub fn execute(
    setting: Setting<'_>,
    terms: &mut Terms,
    forest: &LoopForest,
    (instance, beginning): (InstanceId, &Beginning),
    inherited: Option<Rc<Inheritance>>,
) -> ExecutedThread {
    let mut inputs = Inputs::default();
    let memory = EventMemory::new((setting.first, setting.narrowing), instance, inherited);
    let executor = Executor::new(setting.context, terms, &memory, &mut inputs, instance);
    let template = setting.context.template(instance);
    let mut thread = ThreadExecution {
        setting,
        forest,
        template,
        memory: &memory,
        executor,
        instance,
        pending: BTreeMap::new(),
        numbers: BTreeMap::new(),
        expected: BTreeMap::new(),
        rounds: Rounds::new(setting.context, forest, instance),
        result: ExecutedThread {
            events: Vec::new(),
            visits: BTreeMap::new(),
            ends: Vec::new(),
            waits: BTreeMap::new(),
            narrowed: BTreeMap::new(),
            evident_widths: BTreeMap::new(),
            creations: Vec::new(),
            inputs: Inputs::default(),
        },
    };
    thread.begin(beginning);
    while let Some((place, paths)) = thread.pending.pop_first() {
        if setting.budget.exhausted().is_some() {
            break;
        }
        thread.visit(&place, paths);
    }
    let mut result = thread.finish();
    result.inputs = inputs;
    result
}

struct ThreadExecution<'a> {
    setting: Setting<'a>,
    forest: &'a LoopForest,
    template: &'a Template,
    memory: &'a EventMemory<'a>,
    executor: Executor<'a>,
    instance: InstanceId,
    pending: BTreeMap<Place, Vec<Path>>,
    /// The events that begin at positions; the first one is before all.
    numbers: BTreeMap<Option<Position>, usize>,
    /// The values that reads must have, by their symbols.
    expected: BTreeMap<Term, Value>,
    rounds: Rounds<'a>,
    result: ExecutedThread,
}

impl<'a> ThreadExecution<'a> {
    fn automaton(&self) -> &'a Automaton {
        self.setting.context.automaton(self.instance)
    }

    /// The first event of a thread is that it was created.
    fn begin(&mut self, beginning: &Beginning) {
        let number = self.event(None);
        self.enter(number);
        let mut path = Path::default();
        match *beginning {
            Beginning::Program => {
                let always = self.executor.terms.bool(true);
                self.result.events[number].guard = Some(always);
            }
            Beginning::Created(guard, parameter) => {
                path = Path::new(parameter.into_iter().collect());
                self.result.events[number].guard = Some(guard);
                match path.assume(self.executor.terms, guard) {
                    Some(started) => path = started,
                    None => return,
                }
            }
            Beginning::Any => {
                let parameter = self.setting.context.parameter(self.instance);
                let parameter = parameter.map(|register| {
                    let variable = Variable::Register(self.instance, register);
                    (register, self.read(variable))
                });
                let started = self.read(Variable::Started(self.instance));
                let waits = self.wait(number);
                self.result.events[number].completions.push(started);
                path = Path::new(parameter.into_iter().collect());
                match path.assume(self.executor.terms, waits) {
                    Some(started) => path = started,
                    None => return,
                }
                self.result.events[number].guard = Some(waits);
            }
        }
        self.result.events[number].conditions = path.conditions().to_vec();
        self.leave(number);
        let entry = Place {
            position: self.forest.entry(self.template),
            entered: None,
        };
        self.pending.insert(entry, vec![path]);
    }

    fn read(&mut self, variable: Variable) -> Term {
        self.memory.before(self.executor.terms, variable)
    }

    /// The number of the event that begins at a position, or of the first one.
    fn event(&mut self, begins: Option<Position>) -> usize {
        let events = &mut self.result.events;
        *self.numbers.entry(begins).or_insert_with(|| {
            let number = events.len();
            let mut event = LocalEvent::default();
            event.current.number = number as u32;
            events.push(event);
            number
        })
    }

    /// From here on, accesses are those of this event.
    fn enter(&mut self, number: usize) {
        let current = std::mem::take(&mut self.result.events[number].current);
        self.memory.switch(current);
    }

    fn leave(&mut self, number: usize) {
        self.result.events[number].current = self.memory.switch(Current::default());
    }

    /// A symbol that lets an event happen which may have to wait.
    fn wait(&mut self, number: usize) -> Term {
        let name = format!("{}.goes_on.{number}", self.instance);
        let event = &mut self.result.events[number];
        let terms = &mut *self.executor.terms;
        *event
            .waits
            .get_or_insert_with(|| terms.symbol(name, Sort::Bool))
    }

    /// Whether other threads do not run while this one is at a location that is no sink.
    fn is_inside(&self, location: LocationId) -> bool {
        let cuts = &self.automaton().cuts;
        cuts.kind(location) != Some(Cut::External)
    }

    /// Whether an event that begins at a location may come to an end in its middle, where it has to wait or reaches a limit, or end the
    /// run. Then it may not happen although the thread comes to it.
    fn may_wait(&self, location: LocationId) -> bool {
        let graph = &self.automaton().graph;
        let mut met = EntitySet::new();
        let mut open = vec![location];
        let mut visible = 0;
        while let Some(location) = open.pop() {
            if !met.insert(location) {
                continue;
            }
            for &edge in graph.of(location) {
                let Edge {
                    target, statement, ..
                } = &self.template.edges[edge];
                let kind = self.template.locations[*target].kind;
                let is_sink = kind != LocationKind::Ordinary;
                let goes_on = !is_sink && self.is_inside(*target);
                visible += u32::from(!statement.is_private());
                if visible > 1
                    || kind == LocationKind::Halted
                    || statement.effects().may_wait()
                    || self.template.locations[location].atomic_depth > 0
                    || (goes_on && self.forest.may_end_at(location, *target))
                {
                    return true;
                }
                if goes_on {
                    open.push(*target);
                }
            }
        }
        false
    }

    /// Executes the statements at a place.
    fn visit(&mut self, place: &Place, paths: Vec<Path>) {
        let location = place.position.location;
        let number = self.event(Some(place.begins().clone()));
        let Some(mut path) = self.join(paths, place.entered.is_some(), number) else {
            return;
        };
        self.rounds.begin(self.executor.terms, location, &mut path);
        let counters = self.executor.counters.clone();
        self.result.visits.insert(place.clone(), (counters, number));
        self.executor.atomic = self.template.locations[location].atomic_depth > 0;
        let edges = self.automaton().graph.of(location);
        let path = match self.begins(number) && self.may_wait(location) {
            false => path,
            true => {
                let waits = self.wait(number);
                match path.assume(self.executor.terms, waits) {
                    Some(path) => path,
                    None => return,
                }
            }
        };
        if self.begins(number) {
            let guard = path.guard(self.executor.terms);
            let event = &mut self.result.events[number];
            event.guard = Some(guard);
            event.conditions = path.conditions().to_vec();
        }
        self.enter(number);
        for &edge in edges {
            self.take(place, number, edge, path.clone());
        }
        self.leave(number);
    }

    /// Whether nothing of an event was executed yet.
    fn begins(&self, number: usize) -> bool {
        self.result.events[number].guard.is_none()
    }

    /// One path for those that arrive. What only some of them know of variables that others may change, is forgotten.
    fn join(&mut self, mut paths: Vec<Path>, atomic: bool, number: usize) -> Option<Path> {
        if !atomic && paths.len() > 1 {
            let mut shared: BTreeMap<Variable, usize> = BTreeMap::new();
            for variable in paths.iter().flat_map(|path| path.written().keys()) {
                *shared.entry(*variable).or_default() += 1;
            }
            let all = paths.len();
            let memory = self.memory;
            for path in &mut paths {
                path.keep_written(|variable| {
                    memory.is_own(variable) || shared.get(&variable) == Some(&all)
                });
            }
        }
        self.enter(number);
        let path = self.executor.merge(paths);
        self.leave(number);
        path
    }

    /// Executes an edge.
    fn take(&mut self, place: &Place, number: usize, edge: EdgeId, before: Path) {
        let statement = &self.template.edges[edge].statement;
        let target = self.template.edges[edge].target;
        let atomic = self.executor.atomic;
        let after = self.executor.statement(statement, before.clone());
        self.note_creations(number, after.as_ref().unwrap_or(&before));
        let sinks = std::mem::take(&mut self.executor.sinks);
        let always_goes_on = sinks.is_empty();
        for (sink, path) in sinks {
            self.stop(number, sink, path);
        }
        let Some(mut after) = after else {
            return;
        };
        let only = self.automaton().graph.of(place.position.location);
        let only = place.entered.is_none() && always_goes_on && only.len() == 1;
        if only && self.result.events[number].waits.is_some() {
            self.require(number, &before, &mut after);
        }
        let sink = Sink::of(self.template.locations[target].kind, atomic);
        if sink == Some(Sink::Exited) {
            let yes = self.executor.terms.bool(true);
            let exited = Variable::Exited(self.instance);
            self.memory.write(&mut after, exited, yes);
        }
        let leaves = !self.is_inside(target) || sink.is_some();
        // Nobody sees what is done indivisibly and then waits for good, or ends the run.
        let blocks = (sink == Some(Sink::Blocked) && atomic) || sink == Some(Sink::Halted);
        if leaves && !blocks {
            let guard = after.guard(self.executor.terms);
            self.complete(number, guard);
            self.publish(number, &mut after);
        }
        match sink {
            Some(sink) => {
                let guard = after.guard(self.executor.terms);
                self.end(number, EndKind::Sink(sink), atomic, guard);
            }
            None => self.go_on(place, number, target, after),
        }
    }

    /// Ends an event where a thread does not go on in the middle of a statement. Others see what it has done until then, unless none of
    /// them goes on.
    fn stop(&mut self, number: usize, sink: Sink, mut path: Path) {
        let guard = path.guard(self.executor.terms);
        self.complete(number, guard);
        let atomic = self.executor.atomic;
        let (is_seen, partial) = match sink {
            Sink::Exited | Sink::Blocked | Sink::Limit { .. } => (!atomic, atomic),
            // The run ends, or the program goes on and others see more than this of the event.
            Sink::Error(_) | Sink::Halted | Sink::NotEncoded { .. } => {
                (false, self.result.events[number].waits.is_some())
            }
        };
        if is_seen {
            self.publish(number, &mut path);
        }
        self.end(number, EndKind::Sink(sink), partial, guard);
    }

    /// An event that may have to wait can end like this.
    fn complete(&mut self, number: usize, guard: Term) {
        self.result.events[number].completions.push(guard);
    }

    /// Follows a path to its next place.
    fn go_on(&mut self, place: &Place, number: usize, target: LocationId, mut path: Path) {
        let inside = self.is_inside(target);
        let live = self.automaton().live.at(target);
        let at = (target, live);
        let progress = self
            .rounds
            .progress(self.executor.terms, self.memory, at, &path);
        match path.assume(self.executor.terms, progress) {
            Some(progressing) => path = progressing,
            None => return,
        }
        let template = self.setting.context.instances.threads[self.instance].template;
        let bounds = self.setting.bounds;
        let bound = |header| bounds.of(Loop { template, header });
        match self.forest.successor(&place.position, target, bound) {
            Successor::Beyond(header) => {
                let atomic = self.template.locations[target].atomic_depth > 0;
                let guard = path.guard(self.executor.terms);
                self.complete(number, guard);
                if inside && !atomic {
                    // The program comes so far, and others may see it before the event goes on.
                    self.publish(number, &mut path);
                }
                let kind = EndKind::Unwinding(Loop { template, header });
                self.end(number, kind, atomic, guard);
            }
            Successor::Position(next) => {
                debug_assert!(
                    next > place.position,
                    "the unwinding is in topological order"
                );
                self.rounds.keep_registers(&mut path, live, target);
                if !inside {
                    self.forget(&mut path, target);
                }
                let next = place.next(next, inside);
                self.pending.entry(next).or_default().push(path);
            }
        }
    }

    /// Forgets what others may change while the thread is at a location.
    fn forget(&self, path: &mut Path, at: LocationId) {
        let Setting {
            context,
            concurrency,
            ..
        } = self.setting;
        let own = self.instance;
        let may_run = |other| concurrency.may_run(own, at, other);
        let any = context.instances.threads.keys().any(may_run);
        path.keep_written(|variable| match context.writers(variable) {
            Writers::Nobody => true,
            Writers::One(writer) => writer == own || !may_run(writer),
            Writers::Many => !any,
        });
    }

    /// An event that begins with a statement happens only where that does not wait. If that is so for one value of a variable alone, that is
    /// what is read.
    fn require(&mut self, number: usize, before: &Path, after: &mut Path) {
        let guard = after.guard(self.executor.terms);
        self.result.events[number].required.push(guard);
        let mut values: FxHashMap<Term, Term> = FxHashMap::default();
        let new = after.conditions().iter();
        for &condition in new.filter(|condition| !before.conditions().contains(condition)) {
            if let Some((symbol, value)) = equation(self.executor.terms, condition)
                && self.memory.reads(symbol)
            {
                self.expected.insert(symbol, value);
                values.insert(symbol, self.executor.terms.constant(value));
            }
        }
        if !values.is_empty() {
            let mut substitution = Substitution::new(values);
            after.replace(|value| substitution.apply(self.executor.terms, value));
        }
        *after = std::mem::take(after).under(before);
    }

    /// Where an event is left, it has written what a path has.
    fn publish(&mut self, number: usize, path: &mut Path) {
        let current = self.memory.switch(Current::default());
        let guard = path.guard(self.executor.terms);
        for &variable in &current.writes {
            let Some(&value) = path.written().get(&variable) else {
                continue;
            };
            let unchanged = current.reads.get(&variable).copied();
            let (changes, value) = changes(self.executor.terms, value, unchanged);
            self.note_change(path, variable, (changes, value), unchanged);
            let always = self.executor.terms.bool(true);
            let conditions = (changes == always).then(|| path.conditions().to_vec());
            let guard = self.executor.terms.and(guard, changes);
            if guard != self.executor.terms.bool(false) {
                let narrowed = self.narrow(number, variable, (guard, value));
                if let Some(mut narrowed) = narrowed {
                    if let Some(unchanged) = unchanged {
                        narrowed = self.executor.terms.ite(changes, narrowed, unchanged);
                    }
                    path.set(variable, narrowed);
                }
                let value = narrowed.unwrap_or(value);
                self.result.events[number].writes.push(Write {
                    variable,
                    guard,
                    conditions,
                    value,
                });
            }
        }
        self.memory.switch(current);
    }

    /// Notes whether others see a change of a variable.
    fn note_change(
        &mut self,
        path: &mut Path,
        variable: Variable,
        (changes, value): (Term, Term),
        unchanged: Option<Term>,
    ) {
        if self.rounds.is_private(variable) {
            return;
        }
        let terms = &mut *self.executor.terms;
        let same = match unchanged.or_else(|| self.memory.always(terms, variable)) {
            Some(unchanged) => terms.equal(value, unchanged),
            None => terms.bool(false),
        };
        let differs = terms.not(same);
        let changed = terms.and(changes, differs);
        self.rounds.change(terms, path, changed);
    }

    /// A symbol for what is stored of a value, if that may be another one.
    fn narrow(
        &mut self,
        number: usize,
        variable: Variable,
        (guard, value): (Term, Term),
    ) -> Option<Term> {
        let narrowing = self.setting.narrowing;
        let bits = narrowing.widths.of(self.setting.context, variable)?;
        let terms = &mut *self.executor.terms;
        if let Some(width) = narrowing.evident(terms, value) {
            if width > bits {
                let widths = &mut self.result.evident_widths;
                let known = widths.entry(variable).or_default();
                *known = width.max(*known);
            }
            return None;
        }
        let low = terms.extract(bits - 1, 0, value);
        let stored = terms.sign_extend(terms.width(value), low);
        let same = terms.equal(stored, value);
        let different = terms.not(same);
        let guard = terms.and(guard, different);
        if guard == terms.bool(false) {
            return None;
        }
        let name = format!("{}.narrowed.{number}", self.instance);
        let symbol = terms.symbol(name, terms.sort(value));
        narrowing.note(symbol, bits);
        let end = self.result.ends.len();
        self.end(number, EndKind::TooWide(variable), false, guard);
        let narrowed = Narrowed {
            value,
            bits: low,
            end,
        };
        self.result.narrowed.insert(symbol, narrowed);
        Some(symbol)
    }

    /// The threads that the last statement may have created, and what the thread has written then on a path.
    fn note_creations(&mut self, event: usize, path: &Path) {
        for (instance, _) in std::mem::take(&mut self.executor.started) {
            let written = path.written().clone();
            self.result
                .creations
                .push((instance, Creation { event, written }));
        }
    }

    /// Notes where the thread ends, if that violates something or is a limit.
    fn end(&mut self, event: usize, kind: EndKind, partial: bool, guard: Term) {
        let counts = match kind {
            EndKind::Sink(Sink::Error(_) | Sink::Limit { .. } | Sink::NotEncoded { .. })
            | EndKind::Unwinding(_)
            | EndKind::TooWide(_) => true,
            EndKind::Sink(Sink::Exited | Sink::Halted | Sink::Blocked) => false,
        };
        if counts && guard != self.executor.terms.bool(false) {
            self.result.ends.push(LocalEnd {
                kind,
                event,
                partial,
                guard,
            });
        }
    }

    fn finish(mut self) -> ExecutedThread {
        for event in &mut self.result.events {
            let reads = event.current.reads.iter();
            let Setting {
                context, narrowing, ..
            } = self.setting;
            event.reads = reads
                .map(|(&variable, &value)| Read {
                    variable,
                    value,
                    bits: narrowing.widths.of(context, variable),
                    expected: self.expected.get(&value).copied(),
                })
                .collect();
            if let Some(waits) = event.waits {
                event.guard = Some(waits);
                let completed = self.executor.terms.or_all(event.completions.drain(..));
                let required = event.required.drain(..).chain([completed]);
                let holds = self.executor.terms.and_all(required);
                self.result.waits.insert(waits, holds);
            }
        }
        self.result
    }
}

/// Whether a written value is another one than what was there, and which it is then.
fn changes(terms: &mut Terms, value: Term, unchanged: Option<Term>) -> (Term, Term) {
    let (never, always) = (terms.bool(false), terms.bool(true));
    let Some(unchanged) = unchanged else {
        return (always, value);
    };
    let mut known = FxHashMap::from_iter([(unchanged, (never, unchanged))]);
    let mut open = vec![value];
    while let Some(&term) = open.last() {
        let Node::Ite(condition, a, b) = terms.node(term) else {
            known.entry(term).or_insert((always, term));
            open.pop();
            continue;
        };
        let (Some(&first), Some(&second)) = (known.get(&a), known.get(&b)) else {
            open.extend(
                [a, b]
                    .into_iter()
                    .filter(|branch| !known.contains_key(branch)),
            );
            continue;
        };
        let changes = match (first, second) {
            ((changes, _), same) if changes == never => {
                (terms.ite(condition, never, same.0), same.1)
            }
            (same, (changes, _)) if changes == never => {
                (terms.ite(condition, same.0, never), same.1)
            }
            (first, second) => (
                terms.ite(condition, first.0, second.0),
                terms.ite(condition, first.1, second.1),
            ),
        };
        known.entry(term).or_insert(changes);
        open.pop();
    }
    known[&value]
}

/// The value of a symbol that a condition demands.
fn equation(terms: &Terms, condition: Term) -> Option<(Term, Value)> {
    if terms.is_symbol(condition) {
        return Some((condition, Value::Bool(true)));
    }
    let node = terms.node(condition);
    if let Node::Unary(Unary::Not, of) = node {
        return terms.is_symbol(of).then_some((of, Value::Bool(false)));
    }
    let Node::Binary(Binary::Equal, a, b) = node else {
        return None;
    };
    let of = |symbol, value| {
        let value = terms.as_value(value).filter(|_| terms.is_symbol(symbol))?;
        Some((symbol, value))
    };
    of(a, b).or_else(|| of(b, a))
}
