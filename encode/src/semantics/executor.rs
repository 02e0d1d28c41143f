//! Executes statements of one thread over terms. How statements are put together, to blocks or otherwise, is said elsewhere.

use abi::ids::InstanceId;
use program::model::{DataModel, LimitKind, LocationId, RegisterId};
use system::term::{Term, Terms};

use super::address::Equations;
use super::inputs::{Counters, Inputs};
use super::memory::Memory;
use super::path::{Path, Variable, merge_all};
use super::sink::{NotEncoded, Sink};
use crate::context::EncodingContext;

/// The executor of statements of one instance.
#[derive(Debug)]
pub struct Executor<'a> {
    /// Program and analyses.
    pub context: &'a EncodingContext<'a>,
    /// Where terms are made.
    pub terms: &'a mut Terms,
    /// What statements read and write.
    pub memory: &'a dyn Memory,
    /// Nondeterministic values.
    pub inputs: &'a mut Inputs,
    /// Who executes.
    pub instance: InstanceId,
    /// Whether the statement that is executed is inside an atomic region.
    pub atomic: bool,
    /// Where paths have ended in the middle of statements.
    pub sinks: Vec<(Sink, Path)>,
    /// The threads that may be started.
    pub started: Vec<Started>,
    /// How many inputs were used.
    pub counters: Counters,
    pub(super) equations: Equations,
}

/// A thread that a block may start, with its parameter if that is read.
pub type Started = (InstanceId, Option<(RegisterId, Term)>);

impl<'a> Executor<'a> {
    /// How wide addresses are.
    pub(super) fn data_model(&self) -> DataModel {
        self.context.instances.data_model
    }

    /// A number modulo that of addresses, as wide as one.
    pub(super) fn address_bits(&mut self, value: u64) -> Term {
        let data_model = self.data_model();
        let value = value & data_model.mask();
        self.terms.bits(data_model.address_bits(), value.into())
    }

    /// An executor for statements of `instance`.
    pub fn new(
        context: &'a EncodingContext<'a>,
        terms: &'a mut Terms,
        memory: &'a dyn Memory,
        inputs: &'a mut Inputs,
        instance: InstanceId,
    ) -> Self {
        Self {
            context,
            terms,
            memory,
            inputs,
            instance,
            atomic: false,
            sinks: Vec::new(),
            started: Vec::new(),
            counters: Counters::default(),
            equations: Equations::default(),
        }
    }

    /// The path on which one of these goes on, if there are some; their conditions exclude each other.
    pub fn merge(&mut self, paths: Vec<Path>) -> Option<Path> {
        let memory = self.memory;
        merge_all(paths, self.terms, &|terms, variable| {
            memory.before(terms, variable)
        })
    }

    /// Ends the block under a condition at a limit that the statement itself runs into.
    pub(crate) fn limit(&mut self, path: &Path, condition: Term, kind: LimitKind) {
        let sink = Sink::Limit {
            kind,
            atomic: self.atomic,
        };
        self.end_if(path, condition, sink);
    }

    /// Ends the block under a condition at a location where a thread does not go on.
    pub(crate) fn stop(&mut self, path: &Path, condition: Term, at: LocationId) {
        let kind = self.context.template(self.instance).locations[at].kind;
        if let Some(sink) = Sink::of(kind, self.atomic) {
            self.end_if(path, condition, sink);
        }
    }

    /// Ends the block under a condition because the encoding does not cover the case.
    pub(crate) fn not_encoded(&mut self, path: &Path, condition: Term, what: NotEncoded) {
        let sink = Sink::NotEncoded {
            what,
            atomic: self.atomic,
        };
        self.end_if(path, condition, sink);
    }

    fn end_if(&mut self, path: &Path, condition: Term, sink: Sink) {
        if let Some(path) = path.clone().assume(self.terms, condition) {
            self.sinks.push((sink, path));
        }
    }

    /// Records that a thread may be started.
    pub(crate) fn starts(&mut self, started: Started) {
        self.started.push(started);
    }

    /// The current value of a variable.
    pub(crate) fn value(&mut self, path: &Path, variable: Variable) -> Term {
        self.memory.read(self.terms, path, variable)
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
            self.memory.write(path, variable, new);
        }
    }

    /// The number of the executing thread, 32 bits; that of one of any number of threads is arbitrary.
    pub(crate) fn own_number(&mut self, path: &Path) -> Term {
        match self.context.is_representative(self.instance) {
            true => self.value(path, Variable::Number(self.instance)),
            false => self.terms.bits(32, self.instance.number().into()),
        }
    }

    /// The next nondeterministic value of this width.
    pub(crate) fn input(&mut self, width: u32) -> Term {
        let index = self.counters.take(width);
        self.inputs.get(self.terms, width, index)
    }
}
