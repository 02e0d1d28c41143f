//! Whether a violation depends on a value that the program gets from where nothing is known of it.
//!
//! Forward taint analysis of the run: registers and bytes of memory that are computed from such a value are tainted. While no
//! branch, address, handle, size or mutex is, every other such value lets the same statements run with the same effect on
//! everything that is not tainted: the run violates the property whatever the value is.

use std::collections::BTreeMap;

use abi::ids::{InstanceId, SiteId};
use program::interpret::{Event, Replay, ReplayStep};
use program::model::{Bits, HavocOrigin, ObjectId, Operand, Place, RegisterId, Statement};

use crate::pipeline::Prepared;
use crate::trace::lies_at;

/// The first value on which the course of a run depends although nothing is known of it.
pub(crate) fn unknown_value(prepared: &Prepared, run: &Replay) -> Option<Unknown> {
    let mut taint = Taint {
        prepared,
        registers: BTreeMap::new(),
        memory: BTreeMap::new(),
        results: BTreeMap::new(),
    };
    run.steps.iter().find_map(|step| taint.step(step).err())
}

/// A value that nothing is known of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unknown {
    /// The instruction that takes it.
    pub site: SiteId,
    /// The object, if the value is where it lies in memory, or the handle of a thread; else it is a result of the library.
    pub lies: Option<ObjectId>,
}

/// The value that something was computed from, if there is one.
type Source = Option<Unknown>;

/// The run depends on a value from here.
type Dependence = Result<(), Unknown>;

/// What is tainted so far.
struct Taint<'a> {
    prepared: &'a Prepared,
    registers: BTreeMap<(InstanceId, RegisterId), Unknown>,
    memory: BTreeMap<(ObjectId, u32), Unknown>,
    /// The results of threads.
    results: BTreeMap<InstanceId, Unknown>,
}

/// Whether a statement takes a value from where nothing is known of it.
fn is_unknown(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Havoc {
            origin: HavocOrigin::Library,
            ..
        }
    )
}

impl Taint<'_> {
    fn step(&mut self, step: &ReplayStep) -> Dependence {
        let template = self.prepared.instances.threads[step.instance].template;
        let statement = &self.prepared.program.templates[template].edges[step.edge].statement;
        match statement {
            Statement::Skip | Statement::AtomicBegin | Statement::AtomicEnd => {}
            Statement::Guard { condition, .. } => self.needs(step, *condition)?,
            Statement::Assign {
                register,
                operation,
            } => {
                let mut source = None;
                operation.for_each_operand(|operand| {
                    source = source.or_else(|| self.source(step, operand));
                });
                self.define(step, *register, source);
            }
            Statement::Parallel(moves) => {
                let source = |&(register, operand)| (register, self.source(step, operand));
                let moves: Vec<_> = moves.iter().map(source).collect();
                for (register, source) in moves {
                    self.define(step, register, source);
                }
            }
            Statement::Havoc { register, .. } => {
                let source = is_unknown(statement).then_some(Unknown {
                    site: step.site,
                    lies: None,
                });
                self.define(step, *register, source);
            }
            Statement::Load {
                register, address, ..
            } => {
                self.needs(step, *address)?;
                self.define(step, *register, self.base(step).or(self.read(step)));
            }
            Statement::Store { value, address, .. } => {
                self.needs(step, *address)?;
                let source = self.source(step, *value);
                self.write(step, self.base(step));
                // What is written last is the value; the number of an address that it is a part of comes before.
                let last = step.events.iter().rev().find_map(|&event| written(event));
                for byte in last.into_iter().flat_map(bytes_of) {
                    set(&mut self.memory, byte, source);
                }
            }
            Statement::Update {
                register,
                address,
                operand,
                ..
            } => {
                self.needs(step, *address)?;
                let old = self.read(step);
                self.write(step, old.or_else(|| self.source(step, *operand)));
                self.define(step, *register, old);
            }
            Statement::CompareExchange {
                register,
                success,
                address,
                expected,
                desired,
            } => {
                self.needs(step, *address)?;
                let old = self.read(step);
                let compared = old.or_else(|| self.source(step, *expected));
                self.write(step, self.source(step, *desired));
                // Whether memory was written is as unknown as what was compared.
                if compared.is_some() {
                    self.overwrite(step, compared);
                }
                self.define(step, *register, old);
                self.define(step, *success, compared);
            }
            Statement::LifetimeStart { local } => {
                let place = Place::Local(*local);
                self.forget(self.prepared.instances.resolve(step.instance, place));
            }
            Statement::Allocate { register, size, .. } => {
                self.needs(step, *size)?;
                self.define(step, *register, None);
            }
            Statement::Free { address, .. } => self.needs(step, *address)?,
            Statement::LifetimeEnd { .. } => {}
            Statement::Create {
                register,
                start,
                argument,
            } => {
                self.needs(step, *start)?;
                self.start(step, self.source(step, *argument));
                self.define(step, *register, None);
            }
            Statement::Join {
                register,
                thread,
                value,
            } => {
                self.needs(step, *thread)?;
                self.needs(step, *value)?;
                self.write(step, self.joined(step));
                self.define(step, *register, None);
            }
            Statement::Detach { thread } => self.needs(step, *thread)?,
            Statement::SelfHandle { register } | Statement::SelfNumber { register } => {
                self.define(step, *register, None);
            }
            Statement::Number {
                register,
                address,
                unless,
            } => {
                let operands = [Some(*address), unless.operand()];
                let mut sources = operands.into_iter().flatten();
                let computed = sources.find_map(|operand| self.source(step, operand));
                self.define(step, *register, self.base(step).or(computed));
            }
            Statement::Ask { .. } => self.anything()?,
            Statement::Mutex {
                register, mutex, ..
            } => {
                self.needs(step, *mutex)?;
                demand(self.mutex(step))?;
                self.define(step, *register, None);
            }
            Statement::Return { value } => {
                let source = value.and_then(|value| self.source(step, value));
                self.results
                    .extend(source.map(|source| (step.instance, source)));
            }
        }
        for event in &step.events {
            if let Event::Allocated { object, .. } | Event::Freed(object) = *event {
                self.forget(object);
            }
        }
        Ok(())
    }

    /// The object whose place in memory a step asks for.
    fn base(&self, step: &ReplayStep) -> Source {
        step.events.iter().find_map(|&event| {
            lies_at(self.prepared, event).map(|(object, _)| Unknown {
                site: step.site,
                lies: Some(object),
            })
        })
    }

    fn source(&self, step: &ReplayStep, operand: Operand) -> Source {
        match operand {
            Operand::Register(register) => self.registers.get(&(step.instance, register)).copied(),
            Operand::Constant(_) | Operand::Address(..) => None,
        }
    }

    /// The course of the run depends on an operand.
    fn needs(&self, step: &ReplayStep, operand: Operand) -> Dependence {
        demand(self.source(step, operand))
    }

    /// A statement that looks at all threads depends on everything.
    fn anything(&self) -> Dependence {
        let mut all = self.registers.values().chain(self.memory.values());
        demand(all.next().copied())
    }

    fn define(&mut self, step: &ReplayStep, register: RegisterId, source: Source) {
        set(&mut self.registers, (step.instance, register), source);
    }

    /// The parameter of a thread that is started.
    fn start(&mut self, step: &ReplayStep, source: Source) {
        for event in &step.events {
            if let Event::Started(thread) = *event {
                let template = &self.prepared.program.templates
                    [self.prepared.instances.threads[thread].template];
                for &parameter in &template.parameters {
                    set(&mut self.registers, (thread, parameter), source);
                }
            }
        }
    }

    /// Where the result of a thread comes from that is joined.
    fn joined(&self, step: &ReplayStep) -> Source {
        step.events.iter().find_map(|event| {
            let Event::Joined(thread) = event else {
                return None;
            };
            self.results.get(thread).copied()
        })
    }

    /// Where the bytes come from that a step reads.
    fn read(&self, step: &ReplayStep) -> Source {
        reads(step).find_map(|byte| self.memory.get(&byte).copied())
    }

    /// Where the bytes of the mutex come from that a step operates on.
    fn mutex(&self, step: &ReplayStep) -> Source {
        step.events.iter().find_map(|event| {
            let (Event::Acquired { object, offset }
            | Event::Released { object, offset }
            | Event::Refused { object, offset, .. }) = *event
            else {
                return None;
            };
            let bytes = offset..offset + abi::mutex::SIZE;
            let mut tainted = self
                .memory
                .range((object, bytes.start)..(object, bytes.end));
            tainted.next().map(|(_, source)| *source)
        })
    }

    /// The bytes that a step writes come from here.
    fn write(&mut self, step: &ReplayStep, source: Source) {
        for byte in writes(step) {
            set(&mut self.memory, byte, source);
        }
    }

    /// As for [`Self::write`], for the bytes that are read.
    fn overwrite(&mut self, step: &ReplayStep, source: Source) {
        for byte in reads(step) {
            set(&mut self.memory, byte, source);
        }
    }

    fn forget(&mut self, object: ObjectId) {
        self.memory.retain(|&(tainted, _), _| tainted != object);
    }
}

/// The run depends on what has a source.
fn demand(source: Source) -> Dependence {
    source.map_or(Ok(()), Err)
}

fn set<K: Ord>(tainted: &mut BTreeMap<K, Unknown>, key: K, source: Source) {
    match source {
        Some(source) => tainted.insert(key, source),
        None => tainted.remove(&key),
    };
}

/// The bytes that a step reads.
fn reads(step: &ReplayStep) -> impl Iterator<Item = (ObjectId, u32)> {
    bytes(step, |event| {
        let Event::Read {
            object,
            offset,
            value,
        } = event
        else {
            return None;
        };
        Some((object, offset, value))
    })
}

/// The bytes that a step writes.
fn writes(step: &ReplayStep) -> impl Iterator<Item = (ObjectId, u32)> {
    bytes(step, written)
}

/// What an event writes.
fn written(event: Event) -> Option<Accessed> {
    let Event::Write {
        object,
        offset,
        value,
    } = event
    else {
        return None;
    };
    Some((object, offset, value))
}

/// The object, the offset and the value of an access.
type Accessed = (ObjectId, u32, Bits);

/// The bytes of the accesses among the events of a step.
fn bytes(
    step: &ReplayStep,
    access: impl Fn(Event) -> Option<Accessed>,
) -> impl Iterator<Item = (ObjectId, u32)> {
    let accesses = step.events.iter().filter_map(move |&event| access(event));
    accesses.flat_map(bytes_of)
}

fn bytes_of((object, offset, value): Accessed) -> impl Iterator<Item = (ObjectId, u32)> {
    (offset..offset + value.width / 8).map(move |at| (object, at))
}
