//! Locks, addresses and handles that a run uses although nobody ever wrote them: fresh memory holds anything, also what looks
//! initialised, or is the address of some object.

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::{InstanceId, SiteId};
use program::interpret::{Event, Replay, ReplayStep};
use program::model::{
    HavocOrigin, ObjectId, ObjectKind, Operand, Operation, Place, RegisterId, Statement,
    UpdateOperator,
};

use crate::dependence::reads;
use crate::task::Task;

const ADDRESS: &str = "an address that was never initialised";
const CONTENT: &str = "what was never initialised";
const HANDLE: &str = "a handle that was never initialised";

/// The first use of what was never written: where it is, and what it is in words.
pub(crate) fn first_use(task: &Task, run: &Replay) -> Option<(SiteId, String)> {
    let mut content = Content {
        task,
        zeroed: BTreeSet::new(),
        written: BTreeMap::new(),
        registers: BTreeSet::new(),
        true_registers: BTreeSet::new(),
        results: BTreeSet::new(),
    };
    run.steps.iter().find_map(|step| {
        let lock = content.lock(step).map(|object| {
            let object = task.names().object(object);
            format!("what was never initialised in `{object}`")
        });
        let operand = || content.operand(step).map(str::to_owned);
        let used = lock.or_else(operand);
        content.follow(step);
        used.map(|what| (step.site, format!("use of {what}")))
    })
}

/// What was written to variables, heap objects and registers.
struct Content<'a> {
    task: &'a Task,
    /// Objects that were allocated with zero bytes.
    zeroed: BTreeSet<ObjectId>,
    /// Bytes that were written since their object came to life, and whether with what somebody wrote.
    written: BTreeMap<(ObjectId, u32), bool>,
    /// Registers with values that nobody wrote.
    registers: BTreeSet<(InstanceId, RegisterId)>,
    /// One-bit registers that are 1.
    true_registers: BTreeSet<(InstanceId, RegisterId)>,
    /// Threads that returned values that nobody wrote.
    results: BTreeSet<InstanceId>,
}

impl Content<'_> {
    /// The object of a lock that a step uses, if that was not written.
    fn lock(&self, step: &ReplayStep) -> Option<ObjectId> {
        let is_use = self.task.program.lock_uses.contains(&step.site);
        step.events.iter().find_map(|event| match *event {
            Event::Read {
                object,
                offset,
                value,
            } if is_use => self.lacks(object, offset, value.width / 8),
            Event::Acquired { object, offset }
            | Event::Released { object, offset }
            | Event::Refused { object, offset, .. } => {
                let fields = [abi::mutex::OWNER, abi::mutex::KIND];
                let mut fields = fields.into_iter();
                fields.find_map(|field| self.lacks(object, offset + field, abi::mutex::FIELD))
            }
            Event::Read { .. }
            | Event::Write { .. }
            | Event::Uninitialised(_)
            | Event::Died(_)
            | Event::Allocated { .. }
            | Event::Freed(_)
            | Event::Started(_)
            | Event::Joined(_)
            | Event::Detached(_) => None,
        })
    }

    /// The address or handle of a step, if nobody wrote it.
    fn operand(&self, step: &ReplayStep) -> Option<&'static str> {
        let (operand, what) = match *self.task.statement(step) {
            Statement::Load { address, .. }
            | Statement::Store { address, .. }
            | Statement::AtomicRmw { address, .. }
            | Statement::CompareExchange { address, .. }
            | Statement::Free { address, .. }
            | Statement::Size { address, .. }
            | Statement::Mutex { mutex: address, .. } => (address, ADDRESS),
            Statement::Create { start, .. } => (start, ADDRESS),
            Statement::Join { value, .. } if self.is_unwritten(step, value) => (value, ADDRESS),
            Statement::Join { thread, .. } | Statement::Detach { thread } => (thread, HANDLE),
            // As a call through a pointer looks which function it is.
            Statement::Assign {
                operation:
                    Operation::Compare(_, pointer, Operand::Address(Place::Function(_), _))
                    | Operation::Compare(_, Operand::Address(Place::Function(_), _), pointer),
                ..
            } => (pointer, ADDRESS),
            Statement::Guard { condition, .. } if self.is_requirement(step) => (condition, CONTENT),
            Statement::Skip
            | Statement::Guard { .. }
            | Statement::Assign { .. }
            | Statement::ParallelAssign(_)
            | Statement::Havoc { .. }
            | Statement::LifetimeStart { .. }
            | Statement::LifetimeEnd { .. }
            | Statement::Allocate { .. }
            | Statement::SelfHandle { .. }
            | Statement::SelfNumber { .. }
            | Statement::Number { .. }
            | Statement::TestConflicts { .. }
            | Statement::AtomicBegin
            | Statement::AtomicEnd
            | Statement::Return { .. } => return None,
        };
        self.is_unwritten(step, operand).then_some(what)
    }

    /// Whether a step is where the library requires something of what it is given.
    fn is_requirement(&self, step: &ReplayStep) -> bool {
        self.task.program.requirements.contains(&step.site)
    }

    fn is_unwritten(&self, step: &ReplayStep, operand: Operand) -> bool {
        let Operand::Register(register) = operand else {
            return false;
        };
        self.registers.contains(&(step.instance, register))
    }

    /// The registers to which a step gives a value that nobody wrote, or one that is computed from such a value. Where an element
    /// lies whose index is one depends on the array, and so it is the program's own.
    fn spread(&self, step: &ReplayStep) -> Vec<RegisterId> {
        let is_unwritten = |operand| self.is_unwritten(step, operand);
        let (register, spreads) = match self.task.statement(step) {
            Statement::ParallelAssign(moves) => {
                let spreading = moves.iter().filter(|(_, operand)| is_unwritten(*operand));
                return spreading.map(|(register, _)| *register).collect();
            }
            Statement::Load { register, .. }
            | Statement::AtomicRmw { register, .. }
            | Statement::CompareExchange { register, .. } => (register, self.reads_unwritten(step)),
            Statement::Havoc { register, origin } => (register, *origin == HavocOrigin::Undefined),
            Statement::Assign {
                register,
                operation: Operation::Offset { base, .. },
            } => (register, is_unwritten(*base)),
            Statement::Assign {
                register,
                operation: Operation::Select(Operand::Register(condition), yes, no),
            } => {
                let condition = (step.instance, *condition);
                let chosen = match self.true_registers.contains(&condition) {
                    true => yes,
                    false => no,
                };
                (register, is_unwritten(*chosen))
            }
            Statement::Assign {
                register,
                operation,
            } => {
                let mut spreads = false;
                operation.for_each_operand(|operand| spreads |= is_unwritten(operand));
                (register, spreads)
            }
            Statement::Skip
            | Statement::Guard { .. }
            | Statement::Store { .. }
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
            | Statement::Number { .. }
            | Statement::TestConflicts { .. }
            | Statement::Mutex { .. }
            | Statement::AtomicBegin
            | Statement::AtomicEnd
            | Statement::Return { .. } => return Vec::new(),
        };
        Vec::from_iter(spreads.then_some(*register))
    }

    /// Whether a step writes to memory what nobody wrote.
    fn copies(&self, step: &ReplayStep) -> bool {
        match *self.task.statement(step) {
            Statement::Join { .. } => step.events.iter().any(
                |event| matches!(event, Event::Joined(thread) if self.results.contains(thread)),
            ),
            Statement::Store { value, .. }
            | Statement::CompareExchange { desired: value, .. }
            | Statement::AtomicRmw {
                operand: value,
                operator: UpdateOperator::Exchange,
                ..
            } => self.is_unwritten(step, value),
            Statement::AtomicRmw { operand, .. } => {
                self.is_unwritten(step, operand) || self.reads_unwritten(step)
            }
            Statement::Skip
            | Statement::Guard { .. }
            | Statement::Assign { .. }
            | Statement::ParallelAssign(_)
            | Statement::Havoc { .. }
            | Statement::Load { .. }
            | Statement::LifetimeStart { .. }
            | Statement::LifetimeEnd { .. }
            | Statement::Allocate { .. }
            | Statement::Free { .. }
            | Statement::Size { .. }
            | Statement::Create { .. }
            | Statement::Detach { .. }
            | Statement::SelfHandle { .. }
            | Statement::SelfNumber { .. }
            | Statement::Number { .. }
            | Statement::TestConflicts { .. }
            | Statement::Mutex { .. }
            | Statement::AtomicBegin
            | Statement::AtomicEnd
            | Statement::Return { .. } => false,
        }
    }

    fn reads_unwritten(&self, step: &ReplayStep) -> bool {
        reads(step).any(|(object, at)| self.lacks(object, at, 1).is_some())
    }

    /// The object if one of these bytes still holds anything.
    fn lacks(&self, object: ObjectId, offset: u32, size: u32) -> Option<ObjectId> {
        let starts_as_anything = match self.task.instances.objects[object].kind {
            ObjectKind::Local(..) => true,
            ObjectKind::Heap { .. } => !self.zeroed.contains(&object),
            ObjectKind::Function(_)
            | ObjectKind::Global(_)
            | ObjectKind::ThreadLocal(..)
            | ObjectKind::Thread(_)
            | ObjectKind::Base(_) => false,
        };
        let mut bytes = offset..offset + size;
        let lacks = |at| match self.written.get(&(object, at)) {
            Some(is_written) => !is_written,
            None => starts_as_anything,
        };
        bytes.any(lacks).then_some(object)
    }

    fn follow(&mut self, step: &ReplayStep) {
        let spread = self.spread(step);
        for &(register, bits) in &step.registers {
            let register = (step.instance, register);
            self.registers.remove(&register);
            self.true_registers.remove(&register);
            if bits.width == 1 && bits.value == 1 {
                self.true_registers.insert(register);
            }
        }
        let spread = spread.into_iter();
        self.registers
            .extend(spread.map(|register| (step.instance, register)));
        if let Statement::Return { value: Some(value) } = *self.task.statement(step)
            && self.is_unwritten(step, value)
        {
            self.results.insert(step.instance);
        }
        let copies = self.copies(step);
        let starts = matches!(*self.task.statement(step), Statement::Create { argument, .. } if self.is_unwritten(step, argument));
        for event in &step.events {
            match *event {
                Event::Write {
                    object,
                    offset,
                    value,
                } => {
                    let bytes = offset..offset + value.width / 8;
                    self.written.extend(bytes.map(|at| ((object, at), !copies)));
                }
                Event::Uninitialised(object) => self.forget(object),
                Event::Allocated { object, .. } => {
                    self.forget(object);
                    if matches!(
                        self.task.statement(step),
                        Statement::Allocate { zeroed: true, .. }
                    ) {
                        self.zeroed.insert(object);
                    }
                }
                Event::Started(thread) if starts => {
                    let template = self.task.instances.threads[thread].template;
                    let parameters = &self.task.program.templates[template].parameters;
                    self.registers
                        .extend(parameters.iter().map(|&parameter| (thread, parameter)));
                }
                Event::Read { .. }
                | Event::Died(_)
                | Event::Freed(_)
                | Event::Started(_)
                | Event::Joined(_)
                | Event::Detached(_)
                | Event::Acquired { .. }
                | Event::Released { .. }
                | Event::Refused { .. } => {}
            }
        }
    }

    fn forget(&mut self, object: ObjectId) {
        self.zeroed.remove(&object);
        self.written.retain(|&(written, _), _| written != object);
    }
}
