//! Symbolic execution of one block, with path merging (Sec. 5 of the paper; large-block encoding).
//!
//! One pass over the locations of the block in topological order. At every location the paths that arrive are merged into
//! one, so the result is linear in the block, not in its number of paths.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use abi::ids::InstanceId;
use program::model::{EdgeId, LimitKind, LocationId, LocationKind, Property, RegisterId};
use system::term::{Term, Terms};

use crate::address::Equations;
use crate::context::EncodingContext;
use crate::inputs::{Counters, Inputs};
use crate::path::{Path, Variable, merge_all};

/// Where a block ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stop {
    /// At a cut point where the thread may go on.
    Cut(LocationId),
    /// Where it may not.
    Sink(Sink),
}

/// Why a thread may not go on. Locations of the same kind are one value of the program counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sink {
    /// It has returned.
    Exited,
    /// A property is violated.
    Error(Property),
    /// The whole run has ended.
    Halted,
    /// A false assumption.
    Blocked,
    /// A limit of the program.
    Limit {
        /// Which.
        kind: LimitKind,
        /// Whether it was met inside an atomic region, so that no thread goes on.
        atomic: bool,
    },
    /// A limit of the encoding.
    NotEncoded {
        /// Which.
        what: NotEncoded,
        /// Whether it was met inside an atomic region.
        atomic: bool,
    },
}

/// What this crate does not encode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NotEncoded {
    /// An access to an object of too many cells, or with too many possible addresses.
    LargeObject,
    /// An access through an address that the pointer analysis could not follow.
    UnknownAddress,
}

impl Sink {
    /// Whether no other thread may run either.
    pub fn is_exclusive(self) -> bool {
        match self {
            Self::Halted => true,
            Self::Limit { atomic, .. } | Self::NotEncoded { atomic, .. } => atomic,
            Self::Exited | Self::Error(_) | Self::Blocked => false,
        }
    }
}

/// The values of the variables when a block begins.
#[derive(Clone, Debug)]
pub struct Values<'a> {
    /// Those of all variables.
    pub all: &'a BTreeMap<Variable, Term>,
    /// Those that are known better at the start of this block.
    pub here: BTreeMap<Variable, Term>,
    /// Which of `all` were asked for.
    reads: RefCell<BTreeSet<Variable>>,
}

impl<'a> Values<'a> {
    /// The values of all variables, and those that are known better.
    pub fn new(all: &'a BTreeMap<Variable, Term>, here: BTreeMap<Variable, Term>) -> Self {
        Self {
            all,
            here,
            reads: RefCell::default(),
        }
    }

    /// The value of a variable.
    pub fn get(&self, variable: Variable) -> Term {
        if let Some(&term) = self.here.get(&variable) {
            return term;
        }
        self.reads.borrow_mut().insert(variable);
        self.all[&variable]
    }

    /// The variables whose value was asked for and is not known better here.
    pub fn into_reads(self) -> BTreeSet<Variable> {
        self.reads.into_inner()
    }
}

/// The executor of one block of one instance.
#[derive(Debug)]
pub struct Executor<'a> {
    /// Program and analyses.
    pub context: &'a EncodingContext<'a>,
    /// Where terms are made.
    pub terms: &'a mut Terms,
    /// The values of variables when the block begins.
    pub values: &'a Values<'a>,
    /// Nondeterministic values.
    pub inputs: &'a mut Inputs,
    /// Who executes.
    pub instance: InstanceId,
    pub(crate) equations: Equations,
    pub(crate) counters: Counters,
    /// The statement that is executed.
    source: LocationId,
    ends: BTreeMap<Stop, Vec<Path>>,
    executed: Vec<EdgeId>,
    started: Vec<Started>,
}

/// A thread that a block may start, with its parameter if that is read.
pub type Started = (InstanceId, Option<(RegisterId, Term)>);

/// What executing a block gives.
#[derive(Clone, Debug)]
pub struct ExecutedBlock {
    /// The states in which the block may end.
    pub ends: BTreeMap<Stop, Path>,
    /// The statements that may be executed, in topological order.
    pub executed: Vec<EdgeId>,
    /// The threads that may be started.
    pub started: Vec<Started>,
}

impl<'a> Executor<'a> {
    /// An executor for blocks of `instance`.
    pub fn new(
        context: &'a EncodingContext<'a>,
        terms: &'a mut Terms,
        values: &'a Values<'a>,
        inputs: &'a mut Inputs,
        instance: InstanceId,
    ) -> Self {
        Self {
            source: context.template(instance).entry,
            context,
            terms,
            values,
            inputs,
            instance,
            equations: Equations::default(),
            counters: Counters::default(),
            ends: BTreeMap::new(),
            executed: Vec::new(),
            started: Vec::new(),
        }
    }

    /// Executes the block that begins at `source` with these registers.
    pub fn block(
        mut self,
        source: LocationId,
        registers: BTreeMap<RegisterId, Term>,
    ) -> ExecutedBlock {
        self.source = source;
        let template = self.context.template(self.instance);
        let automaton = self.context.automaton(self.instance);
        let order = automaton.cuts.block(template, &automaton.graph, source);
        let counters = Counters::before(self.context, self.instance, &order);
        let mut arrived: BTreeMap<LocationId, Vec<Path>> = BTreeMap::new();
        arrived.insert(source, vec![Path::new(registers)]);
        for location in order {
            let Some(path) = arrived
                .remove(&location)
                .and_then(|paths| self.merge(paths))
            else {
                continue;
            };
            self.source = location;
            for &edge in automaton.graph.of(location) {
                self.counters = counters[&location].clone();
                let Some(after) = self.statement(&template.edges[edge].statement, path.clone())
                else {
                    continue;
                };
                self.executed.push(edge);
                let target = template.edges[edge].target;
                match self.stop_at(target) {
                    Some(Stop::Sink(Sink::Blocked)) if self.need_not_be_seen(edge) => {}
                    Some(stop) => self.end(stop, after),
                    None => arrived
                        .entry(target)
                        .or_default()
                        .push(self.trimmed(after, target)),
                }
            }
        }
        self.finish()
    }

    fn finish(mut self) -> ExecutedBlock {
        let ends = std::mem::take(&mut self.ends);
        let ends = ends
            .into_iter()
            .filter_map(|(stop, paths)| Some((stop, self.merge(paths)?)))
            .collect();
        ExecutedBlock {
            ends,
            executed: self.executed,
            started: self.started,
        }
    }

    pub(crate) fn merge(&mut self, paths: Vec<Path>) -> Option<Path> {
        let values = self.values;
        merge_all(paths, self.terms, &|variable| values.get(variable))
    }

    /// The path without the registers that are dead at `target`.
    fn trimmed(&self, mut path: Path, target: LocationId) -> Path {
        path.keep_registers(self.context.automaton(self.instance).live.at(target));
        path
    }

    fn stop_at(&self, target: LocationId) -> Option<Stop> {
        let location = &self.context.template(self.instance).locations[target];
        let atomic = self.is_atomic();
        Some(match location.kind {
            LocationKind::Ordinary => {
                self.context.automaton(self.instance).cuts.kind(target)?;
                Stop::Cut(target)
            }
            LocationKind::Exited => Stop::Sink(Sink::Exited),
            LocationKind::Error(property) => Stop::Sink(Sink::Error(property)),
            LocationKind::Halted => Stop::Sink(Sink::Halted),
            LocationKind::Blocked => Stop::Sink(Sink::Blocked),
            LocationKind::Limit(kind) => Stop::Sink(Sink::Limit { kind, atomic }),
        })
    }

    /// Whether the statement being executed is inside an atomic region.
    fn is_atomic(&self) -> bool {
        self.context.template(self.instance).locations[self.source].atomic_depth > 0
    }

    /// Whether a thread that an edge blocks need not be seen there, because nothing it did since the last external location counts,
    /// the edge included, or because it blocks the whole run: then the block is not enabled instead.
    fn need_not_be_seen(&self, edge: EdgeId) -> bool {
        let automaton = self.context.automaton(self.instance);
        let counts =
            automaton.after_effect.contains(self.source) || automaton.effects.contains(edge);
        !counts || self.is_atomic()
    }

    /// Ends the block.
    fn end(&mut self, stop: Stop, path: Path) {
        let path = match stop {
            Stop::Cut(target) => self.trimmed(path, target),
            Stop::Sink(_) => {
                let mut path = path;
                path.keep_registers(&[]);
                path
            }
        };
        self.ends.entry(stop).or_default().push(path);
    }

    /// Ends the block under a condition at a limit that the statement itself runs into.
    pub(crate) fn limit(&mut self, path: &Path, condition: Term, kind: LimitKind) {
        let sink = Sink::Limit {
            kind,
            atomic: self.is_atomic(),
        };
        self.end_if(path, condition, sink);
    }

    /// Ends the block under a condition because the encoding does not cover the case.
    pub(crate) fn not_encoded(&mut self, path: &Path, condition: Term, what: NotEncoded) {
        let sink = Sink::NotEncoded {
            what,
            atomic: self.is_atomic(),
        };
        self.end_if(path, condition, sink);
    }

    fn end_if(&mut self, path: &Path, condition: Term, sink: Sink) {
        if let Some(path) = path.clone().assume(self.terms, condition) {
            self.end(Stop::Sink(sink), path);
        }
    }

    /// Records that a thread may be started.
    pub(crate) fn starts(&mut self, started: Started) {
        self.started.push(started);
    }

    /// The current value of a variable.
    pub(crate) fn value(&self, path: &Path, variable: Variable) -> Term {
        path.written()
            .get(&variable)
            .copied()
            .unwrap_or_else(|| self.values.get(variable))
    }

    /// Writes `value` to a variable under a condition.
    pub(crate) fn set_if(
        &mut self,
        path: &mut Path,
        condition: Term,
        variable: Variable,
        value: Term,
    ) {
        let old = self.value(path, variable);
        let new = self.terms.ite(condition, value, old);
        if new != old {
            path.set(variable, new);
        }
    }

    /// The next nondeterministic value of this width.
    pub(crate) fn input(&mut self, width: u32) -> Term {
        let index = self.counters.take(width);
        self.inputs.get(self.terms, width, index)
    }
}
