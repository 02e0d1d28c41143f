//! What a program can tell apart of the values that it leaves open.
//!
//! A search that tries all values of an input need not try two of which the program behaves the same. Here is, for each register, a
//! partition of its numbers such that two runs which differ in numbers of the same class only pass the same locations: what is
//! written but never looked at is one class, what is compared with constants is cut into intervals, what counts modulo a constant has
//! a class for each remainder. A branch, an address, an operation with two variable operands and whatever else looks at a whole number
//! tells all numbers apart that the register may hold there ([`ranges`]). Memory is as registers are where all accesses of a place agree,
//! and elsewhere bytes are looked at or not ([`memory`]).
//!
//! The argument is a bisimulation. Relate two states if all threads are at the same locations with the same status, registers hold
//! numbers of one class and so do cells of memory, and bytes that are looked at are equal. The fixpoint of [`Observed::new`] says,
//! for each statement, that from related states it leads to related states: each register is refined by what the statement makes of
//! it. Thus for any choice of one state there is one of the other that keeps them related, and errors and limits are locations.

mod intervals;
mod memory;
mod partition;
mod ranges;
mod step;

use std::sync::{Arc, OnceLock};

use abi::ids::InstanceId;
use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};

use self::intervals::Intervals;
use self::memory::{Accessed, Memory};
use self::partition::Partition;
use self::ranges::Ranges;
use self::step::Step;
use crate::interpret::NondeterministicChoice;
use program::leaks::AddressWords;
use program::model::{
    AddressSource, Bits, ConflictTest, EdgeId, Instances, LocationId, Operand, Operation, Place,
    Program, RegisterId, Statement, Template, TemplateId,
};
use program::points_to::PointsTo;

/// What a program tells apart of the values that it leaves open: the same for all searches of one program, which share it by cloning.
/// Known from the first question on.
#[derive(Clone, Debug, Default)]
pub struct Distinctions(Arc<OnceLock<Observed>>);

/// The answers to questions of a program that stand for all others.
#[derive(Debug)]
pub(crate) struct Representatives<'a> {
    program: &'a Program,
    instances: &'a Instances,
    /// Not more answers stand for others than so many bits have values.
    pub(crate) complete_width: u32,
    distinctions: Distinctions,
}

impl<'a> Representatives<'a> {
    /// The distinctions have to be those of the program.
    pub(crate) fn new(
        program: &'a Program,
        instances: &'a Instances,
        complete_width: u32,
        distinctions: Distinctions,
    ) -> Self {
        Self {
            program,
            instances,
            complete_width,
            distinctions,
        }
    }

    /// Answers to a question that stand for all others. None if all have to be tried, or they are too many.
    pub(crate) fn answers(&self, choice: &NondeterministicChoice<'_>) -> Option<Vec<u128>> {
        let analyse = || Observed::new(self.program, self.instances);
        let observed = self.distinctions.0.get_or_init(analyse);
        observed.answers(choice, self.complete_width)
    }
}

/// Which values of registers and memory a program tells apart.
#[derive(Debug)]
struct Observed {
    templates: PrimaryMap<InstanceId, TemplateId>,
    registers: PrimaryMap<TemplateId, SecondaryMap<RegisterId, Partition>>,
    memory: Memory,
}

impl Observed {
    /// Analyses a program with its threads and objects.
    fn new(program: &Program, instances: &Instances) -> Self {
        let points_to = PointsTo::analyse(program, instances);
        let ranges = program.templates.values().map(|template| {
            let mut sources = EntitySet::new();
            for edge in template.edges.values() {
                if let Statement::Havoc { register, .. } | Statement::Load { register, .. } =
                    edge.statement
                {
                    sources.insert(register);
                }
            }
            Ranges::new(template, &sources)
        });
        let threads = instances.threads.values();
        let templates = threads.map(|thread| thread.template).collect();
        let known = program.templates.values();
        let registers = known.map(|_| SecondaryMap::new()).collect();
        let memory = Memory::new(program, instances, &points_to);
        let mut analysis = Analysis {
            program,
            instances,
            points_to: &points_to,
            address_words: AddressWords::new(program, instances, &points_to),
            ranges: ranges.collect(),
            observed: Self {
                templates,
                registers,
                memory,
            },
            pending: Vec::new(),
            is_memory_new: false,
        };
        analysis.run();
        analysis.observed
    }

    fn answers(
        &self,
        choice: &NondeterministicChoice<'_>,
        complete_width: u32,
    ) -> Option<Vec<u128>> {
        let most = 1 << complete_width.min(choice.width());
        match *choice {
            NondeterministicChoice::Slot { slots, .. } => {
                Some(slots.iter().map(|slot| slot.as_u32().into()).collect())
            }
            NondeterministicChoice::Havoc {
                instance,
                register,
                width,
                ..
            } => {
                let classes = &self.registers[self.templates[instance]][register];
                classes.representatives(Bits::mask(width), most)
            }
            NondeterministicChoice::Content {
                object,
                offset,
                bytes,
            } => self.memory.representatives(object, offset, bytes, most),
            NondeterministicChoice::Result { .. } => None,
        }
    }
}

/// The fixpoint in the making.
struct Analysis<'a> {
    program: &'a Program,
    instances: &'a Instances,
    points_to: &'a PointsTo,
    address_words: Option<AddressWords>,
    ranges: PrimaryMap<TemplateId, Ranges<'a>>,
    observed: Observed,
    /// Registers of which more is told apart than when their definitions were looked at last.
    pending: Vec<(TemplateId, RegisterId)>,
    /// Whether more of memory is looked at than when stores were looked at last.
    is_memory_new: bool,
}

impl<'a> Analysis<'a> {
    fn run(&mut self) {
        let definitions: PrimaryMap<TemplateId, _> =
            self.program.templates.values().map(definitions).collect();
        self.statements(|_| true);
        loop {
            while let Some((id, register)) = self.pending.pop() {
                for &edge in &definitions[id][register] {
                    self.edge(id, edge);
                }
            }
            if !std::mem::take(&mut self.is_memory_new) {
                break;
            }
            self.statements(|statement| matches!(statement, Statement::Store { .. }));
        }
    }

    /// Some statements once, those behind others first.
    fn statements(&mut self, is_meant: impl Fn(&Statement) -> bool) {
        for (id, template) in &self.program.templates {
            for (edge, known) in template.edges.iter().rev() {
                if is_meant(&known.statement) {
                    self.edge(id, edge);
                }
            }
        }
    }

    fn edge(&mut self, id: TemplateId, edge: EdgeId) {
        let template = &self.program.templates[id];
        let edge = &template.edges[edge];
        let at = At {
            id,
            template,
            location: edge.source,
        };
        self.statement(at, &edge.statement);
    }

    fn statement(&mut self, at: At<'_>, statement: &Statement) {
        match *statement {
            Statement::Assign {
                register,
                ref operation,
            } => self.assign(at, register, operation),
            Statement::ParallelAssign(ref moves) => {
                for &(register, value) in moves {
                    let classes = self.observed.registers[at.id][register].clone();
                    self.refine(at, value, &classes);
                }
            }
            Statement::Load {
                register,
                address,
                atomic: _,
                ref words,
            } => {
                self.exact(at, address);
                let accessed = self.accessed(at.id, address, Operand::Register(register));
                let classes = &self.observed.registers[at.id][register];
                if !words.is_empty() {
                    self.look_at_objects(at.id, address);
                } else if !classes.is_coarsest() {
                    self.is_memory_new |= self.observed.memory.look(accessed, classes);
                }
            }
            Statement::Store {
                value,
                address,
                atomic: _,
                ref words,
            } => {
                self.exact(at, address);
                let accessed = self.accessed(at.id, address, value);
                if !words.is_empty() {
                    self.look_at_objects(at.id, address);
                }
                let classes = self.observed.memory.classes(accessed);
                self.refine(at, value, &classes);
            }
            Statement::TestConflicts {
                known, ref tests, ..
            } => {
                self.exact(at, known);
                tests.iter().for_each(|test| self.test(at, test));
            }
            Statement::AtomicRmw {
                register: old,
                address,
                ..
            }
            | Statement::CompareExchange {
                register: old,
                address,
                ..
            } => {
                self.exact_operands(at, statement);
                let accessed = self.accessed(at.id, address, Operand::Register(old));
                let looked = self.observed.memory.look(accessed, &Partition::exact());
                self.is_memory_new |= looked;
            }
            Statement::Mutex { mutex, .. } => {
                self.exact_operands(at, statement);
                self.look_at_objects(at.id, mutex);
            }
            Statement::Skip
            | Statement::Guard { .. }
            | Statement::Havoc { .. }
            | Statement::LifetimeStart { .. }
            | Statement::LifetimeEnd { .. }
            | Statement::Allocate { .. }
            | Statement::Free { .. }
            | Statement::Size { .. }
            | Statement::Create { .. }
            | Statement::Join { .. }
            | Statement::Detach { .. }
            | Statement::SelfHandle { .. }
            | Statement::SelfNumber { .. }
            | Statement::NumberOfThread { .. }
            | Statement::Number { .. }
            | Statement::AtomicBegin
            | Statement::AtomicEnd
            | Statement::Return { .. } => self.exact_operands(at, statement),
            Statement::FindLeak(_) => {
                let words = self.address_words.iter().flat_map(|found| &found.words);
                for word in words {
                    self.is_memory_new |= self.observed.memory.look_at_object(word.holder);
                }
            }
        }
    }

    fn assign(&mut self, at: At<'_>, register: RegisterId, operation: &Operation) {
        let classes = self.observed.registers[at.id][register].clone();
        if classes.is_coarsest() {
            return;
        }
        if let Some(step) = Step::of(at.template, register, operation) {
            let classes = step.pull_back(&classes);
            self.refine(at, Operand::Register(step.operand), &classes);
        } else if let Operation::Select(condition, yes, no) = *operation {
            self.exact(at, condition);
            for (value, holds) in [(yes, true), (no, false)] {
                if let Operand::Register(register) = value {
                    let when = (condition, holds);
                    let range = self.ranges[at.id].of_if(at.location, when, register);
                    self.refine_within(at, register, &classes, range);
                }
            }
        } else {
            operation.for_each_operand(|operand| self.exact(at, operand));
        }
    }

    fn test(&mut self, at: At<'_>, test: &ConflictTest) {
        if let Some(address) = test.address() {
            self.exact(at, address);
        }
        match test {
            ConflictTest::CanReach(_) | ConflictTest::Unstarted(_) => {}
            ConflictTest::CellHolds { address, .. } => self.look_at_objects(at.id, *address),
            ConflictTest::MayAlias { accesses, .. }
            | ConflictTest::MayLockOther { accesses, .. } => {
                for access in accesses {
                    let id = access.template;
                    let template = &self.program.templates[id];
                    match access.pointer {
                        AddressSource::Operand(pointer) => {
                            for &location in &access.locations {
                                let at = At {
                                    id,
                                    template,
                                    location,
                                };
                                self.exact(at, pointer);
                            }
                        }
                        AddressSource::Cell(global, offset) => {
                            let cell = Operand::Address(Place::Global(global), offset);
                            self.look_at_objects(id, cell);
                        }
                    }
                }
            }
        }
    }

    fn exact_operands(&mut self, at: At<'_>, statement: &Statement) {
        statement.for_each_operand(|operand| self.exact(at, operand));
    }

    /// All values of an operand are told apart.
    fn exact(&mut self, at: At<'_>, operand: Operand) {
        self.refine(at, operand, &Partition::exact());
    }

    fn refine(&mut self, at: At<'_>, operand: Operand, classes: &Partition) {
        if let Operand::Register(register) = operand {
            let range = self.ranges[at.id].of(at.location, register);
            self.refine_within(at, register, classes, range);
        }
    }

    /// Numbers outside of a range are not told apart.
    fn refine_within(
        &mut self,
        at: At<'_>,
        register: RegisterId,
        classes: &Partition,
        range: Option<Intervals>,
    ) {
        let known = &mut self.observed.registers[at.id][register];
        let is_refined = match range {
            Some(range) => {
                let last = Bits::mask(at.template.registers[register].width);
                known.refine(&classes.within(&range, last))
            }
            None => known.refine(classes),
        };
        if is_refined {
            self.pending.push((at.id, register));
        }
    }

    fn look_at_objects(&mut self, id: TemplateId, address: Operand) {
        let accessed = self.accessed(id, address, address);
        self.is_memory_new |= self.observed.memory.look_at_objects(accessed);
    }

    /// What is accessed at an address with a value.
    fn accessed(&self, template: TemplateId, address: Operand, value: Operand) -> Accessed<'a> {
        Accessed {
            instances: self.instances,
            points_to: self.points_to,
            template,
            address,
            width: self.program.templates[template].width(value),
        }
    }
}

/// The edges that write each register.
fn definitions(template: &Template) -> SecondaryMap<RegisterId, Vec<EdgeId>> {
    let mut found: SecondaryMap<RegisterId, Vec<EdgeId>> = SecondaryMap::new();
    for (id, edge) in &template.edges {
        edge.statement
            .for_each_definition(|register| found[register].push(id));
    }
    found
}

/// Where a statement is.
#[derive(Clone, Copy)]
struct At<'a> {
    id: TemplateId,
    template: &'a Template,
    location: LocationId,
}
