//! What a program can tell apart of the values that it leaves open.
//!
//! A search that tries all values of an input need not try two of which the program behaves the same. Here is, for each register, a
//! partition of its numbers such that two runs which differ in numbers of the same class only pass the same locations: what is
//! written but never looked at is one class, what is compared with constants is cut into intervals, what counts modulo a constant has
//! a class for each remainder. A branch, an address, an operation with two variable operands and whatever else looks at a whole number
//! tells all numbers apart that the register may hold there ([`ranges`]). Of memory it is known which bytes are looked at.
//!
//! The argument is a bisimulation. Relate two states if all threads are at the same locations with the same status, registers hold
//! numbers of one class, and bytes that are looked at are equal. The fixpoint that [`Observed::new`] computes says, for each
//! statement, that from related states it leads to related states: each register is refined by what the statement makes of it. Thus
//! for any choice of one state there is one of the other that keeps them related, and errors and limits are locations.

mod intervals;
mod partition;
mod ranges;
mod step;

use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};

use self::intervals::Intervals;
use self::partition::Partition;
use self::ranges::Ranges;
use self::step::Step;
use program::model::{
    AddressSource, Bits, ConflictTest, EdgeId, Instances, LocationId, ObjectId, ObjectKind,
    Offsets, Operand, Operation, Place, Program, RegisterId, Statement, Template, TemplateId,
};
use program::points_to::PointsTo;

/// Which values of registers and memory a program tells apart.
#[derive(Debug)]
pub(crate) struct Observed {
    registers: PrimaryMap<TemplateId, SecondaryMap<RegisterId, Partition>>,
    memory: Looked,
}

/// The bytes of memory that are looked at.
#[derive(Debug, Default)]
struct Looked {
    bytes: SecondaryMap<ObjectId, Vec<bool>>,
    /// Objects of which all bytes are.
    whole: EntitySet<ObjectId>,
    /// Whether all are, since there is an address that may be any.
    all: bool,
}

impl Observed {
    /// Analyses a program with its threads and objects.
    pub(crate) fn new(program: &Program, instances: &Instances) -> Self {
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
        let templates = program.templates.values();
        let registers = templates.map(|_| SecondaryMap::new()).collect();
        let mut memory = Looked::default();
        let objects = instances.objects.iter();
        // Where an object lies is looked at in other ways than by loads.
        let bases = objects.filter(|(_, object)| matches!(object.kind, ObjectKind::Base(_)));
        memory.whole.extend(bases.map(|(base, _)| base));
        let mut analysis = Analysis {
            program,
            instances,
            points_to: &points_to,
            ranges: ranges.collect(),
            observed: Self { registers, memory },
            pending: Vec::new(),
            is_memory_new: false,
        };
        analysis.run();
        analysis.observed
    }

    /// Values of a register that stand for all; none if there are more than `most`.
    pub(crate) fn representatives(
        &self,
        template: TemplateId,
        register: RegisterId,
        width: u32,
        most: u128,
    ) -> Option<Vec<u128>> {
        self.registers[template][register].representatives(Bits::mask(width), most)
    }

    /// Whether the program looks at one of some bytes of an object: those that have a bit in `bytes`, which counts from `offset`.
    pub(crate) fn looks_at(&self, object: ObjectId, offset: u32, bytes: u16) -> bool {
        let mut marked = (0..u16::BITS).filter(|bit| bytes >> bit & 1 == 1);
        marked.any(|bit| self.memory.contains(object, offset + bit))
    }
}

impl Looked {
    fn contains(&self, object: ObjectId, offset: u32) -> bool {
        let byte = self.bytes[object].get(offset as usize);
        self.all || self.whole.contains(object) || byte.copied().unwrap_or(false)
    }

    fn add(&mut self, object: ObjectId, offset: u32) -> bool {
        let bytes = &mut self.bytes[object];
        let offset = offset as usize;
        if bytes.len() <= offset {
            bytes.resize(offset + 1, false);
        }
        !std::mem::replace(&mut bytes[offset], true)
    }
}

/// The fixpoint in the making.
struct Analysis<'a> {
    program: &'a Program,
    instances: &'a Instances,
    points_to: &'a PointsTo,
    ranges: PrimaryMap<TemplateId, Ranges<'a>>,
    observed: Observed,
    /// Registers of which more is told apart than when their definitions were looked at last.
    pending: Vec<(TemplateId, RegisterId)>,
    /// Whether more of memory is looked at than when stores were looked at last.
    is_memory_new: bool,
}

impl Analysis<'_> {
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
                let is_seen = !self.observed.registers[at.id][register].is_coarsest();
                if is_seen || !words.is_empty() {
                    let size = at.template.registers[register].width.div_ceil(8);
                    self.look(at.id, address, size, !words.is_empty());
                }
            }
            Statement::Store {
                value,
                address,
                atomic: _,
                ref words,
            } => {
                self.exact(at, address);
                let size = at.template.width(value).div_ceil(8);
                if !words.is_empty() {
                    self.look(at.id, address, size, true);
                }
                if self.is_looked_at(at.id, address, size) {
                    self.exact(at, value);
                }
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
                let size = at.template.registers[old].width.div_ceil(8);
                self.look(at.id, address, size, false);
            }
            Statement::Mutex { mutex, .. } => {
                self.exact_operands(at, statement);
                self.look(at.id, mutex, 1, true);
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
            ConflictTest::CellHolds { address, .. } => self.look(at.id, *address, 1, true),
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
                            self.look(id, cell, 1, true);
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

    /// The bytes of an access, or all of its objects, are looked at.
    fn look(&mut self, id: TemplateId, address: Operand, size: u32, whole: bool) {
        for instance in self.instances.by_template(id) {
            let targets = self.points_to.targets(instance, address);
            if targets.other && !std::mem::replace(&mut self.observed.memory.all, true) {
                self.is_memory_new = true;
            }
            for (object, offsets) in targets.objects {
                if whole || offsets == Offsets::Any {
                    self.is_memory_new |= self.observed.memory.whole.insert(object);
                    continue;
                }
                let whole = self.instances.objects[object].size;
                for byte in bytes(whole, offsets, size) {
                    self.is_memory_new |= self.observed.memory.add(object, byte);
                }
            }
        }
    }

    /// Whether a byte of an access is looked at.
    fn is_looked_at(&self, id: TemplateId, address: Operand, size: u32) -> bool {
        let mut instances = self.instances.by_template(id);
        instances.any(|instance| {
            let targets = self.points_to.targets(instance, address);
            let mut objects = targets.objects.into_iter();
            targets.other
                || objects.any(|(object, offsets)| {
                    let whole = self.instances.objects[object].size;
                    let mut bytes = bytes(whole, offsets, size);
                    bytes.any(|byte| self.observed.memory.contains(object, byte))
                })
        })
    }
}

/// The bytes of accesses of a size to some offsets of an object of `whole` bytes.
fn bytes(whole: u32, offsets: Offsets, size: u32) -> impl Iterator<Item = u32> {
    let (first, step) = match offsets {
        Offsets::Exact(first) => (first, whole.max(1)),
        Offsets::Stride { first, step } => (first, step),
        Offsets::Any => (0, 1),
    };
    let starts = (first..whole).step_by(step as usize);
    starts.flat_map(move |start| start..whole.min(start.saturating_add(size)))
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
