//! Whether a violation depends on a value of unknown origin, or on a variable whose lifetime is over.
//!
//! Forward taint analysis of the run: registers and bytes of memory that are computed from a value of unknown origin
//! are tainted. While no branch, address, handle, size or mutex is tainted, the same statements run for every other
//! value, with the same effect on everything that is not tainted: the run violates the property for all values.
//!
//! The address of a variable or of a heap object is tainted, too, by the time when it was taken. In the automata, a
//! variable that lives several times is one object or two, and so is memory that is allocated again. So an address from
//! an earlier life may seem to be valid, although the object accessed through it is over.

mod outlived;

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::{InstanceId, SiteId};
use explicit::interpret::{Observation, ReplayEnd, ReplayStep, ReplayedRun};
use program::model::{
    BinaryOperator, HavocOrigin, ObjectId, ObjectKind, Operand, Operation, Place, Property,
    RegisterId, Statement,
};

use crate::accessed::{bytes_of, reads, writes, written};
use crate::misuse::{Misuse, first_misuse};
use crate::task::Task;
use crate::trace::lies_at;
use crate::unwritten::{Use, first_use};

/// The first reason for which a run may be none of the program.
pub(crate) fn doubt(task: &Task, run: &ReplayedRun) -> Option<Doubt> {
    let mut taint = Taint {
        task,
        now: 0,
        lives: BTreeMap::new(),
        alive: BTreeSet::new(),
        values: BTreeMap::new(),
        registers: BTreeMap::new(),
        memory: BTreeMap::new(),
        results: BTreeMap::new(),
    };
    let depends = run.steps.iter().find_map(|step| {
        taint.now += 1;
        taint.step(step).err()
    });
    depends
        .or_else(|| unjustified(task, run))
        .or_else(|| {
            let first = first_use(task, run)?;
            let Use {
                step,
                site,
                what,
                of_lock,
            } = first;
            (!violates(run, step)).then_some(Doubt::Undefined {
                step,
                site,
                what,
                property: of_lock.then_some(Property::NoLockMisuse),
            })
        })
        .or_else(|| {
            let Misuse { step, site, what } = first_misuse(task, run)?;
            Some(Doubt::Undefined {
                step,
                site,
                what,
                property: task.program.required_by.get(&site).copied(),
            })
        })
}

/// Where a run that looks for races goes on with a result that what its threads did does not justify.
fn unjustified(task: &Task, run: &ReplayedRun) -> Option<Doubt> {
    let mut steps = run.steps.iter();
    let raises = |event: &Observation| {
        let &Observation::Write { object, .. } = event else {
            return false;
        };
        let kind = task.instances.objects[object].kind;
        matches!(kind, ObjectKind::Global(variable) if Some(variable) == task.program.doubt)
    };
    let step = steps.find(|step| step.events.iter().any(raises))?;
    Some(Doubt::Unjustified { site: step.site })
}

/// Whether a run ends at a step by violating a property.
fn violates(run: &ReplayedRun, position: usize) -> bool {
    position + 1 == run.steps.len() && matches!(run.end, ReplayEnd::Error { .. })
}

/// Why a run may be none of the program.
#[derive(Clone, Debug)]
pub(crate) enum Doubt {
    /// Its course depends on a value although nothing is known of it.
    Depends(Unknown),
    /// An instruction accesses a variable whose life is over, or memory that was freed, though the object is alive again.
    Over {
        /// The position of its step in the run.
        step: usize,
        /// Where it is.
        site: SiteId,
        /// What it accesses.
        object: ObjectId,
        /// How many steps came before its address was taken.
        taken: usize,
    },
    /// An instruction has no defined meaning.
    Undefined {
        /// The position of its step in the run.
        step: usize,
        /// Where it is.
        site: SiteId,
        /// Why, in words.
        what: String,
        /// The property that is about this, if there is one.
        property: Option<Property>,
    },
    /// A result came about in this step that orders nothing, and that the run does not justify: it only shows how races may come about.
    Unjustified {
        /// Where it came about.
        site: SiteId,
    },
}

/// A value that nothing is known of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unknown {
    /// The instruction that takes it.
    pub site: SiteId,
    /// The object, if the value is where it lies in memory, or the handle of a thread; else it is a result of the library.
    pub lies: Option<ObjectId>,
}

impl Unknown {
    /// The result of an instruction.
    fn result(site: SiteId) -> Self {
        Self { site, lies: None }
    }
}

/// What something was computed from.
#[derive(Clone, Copy, Default)]
struct Source {
    unknown: Option<Unknown>,
    /// When the address of a variable was taken, or the object was allocated.
    taken: Option<u32>,
    /// Where a function without definition gave a value.
    external: Option<SiteId>,
}

impl Source {
    /// That of a value which a step takes from where an object lies, if there is one.
    fn place(step: &ReplayStep, object: Option<ObjectId>) -> Self {
        Self {
            unknown: object.map(|object| Unknown {
                site: step.site,
                lies: Some(object),
            }),
            ..Self::default()
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            unknown: self.unknown.or(other.unknown),
            taken: self.taken.max(other.taken),
            external: self.external.or(other.external),
        }
    }

    fn all(sources: impl Iterator<Item = Self>) -> Self {
        sources.fold(Self::default(), Self::or)
    }
}

/// The run may be none of the program.
type Doubted = Result<(), Doubt>;

/// What is tainted so far.
struct Taint<'a> {
    task: &'a Task,
    /// The number of the step.
    now: u32,
    /// When variables and heap objects came to life last.
    lives: BTreeMap<ObjectId, u32>,
    /// Those that have and whose lives are not over.
    alive: BTreeSet<ObjectId>,
    /// The values of registers.
    values: BTreeMap<(InstanceId, RegisterId), u64>,
    registers: BTreeMap<(InstanceId, RegisterId), Source>,
    memory: BTreeMap<(ObjectId, u32), Source>,
    /// The results of threads.
    results: BTreeMap<InstanceId, Source>,
}

impl Taint<'_> {
    fn step(&mut self, step: &ReplayStep) -> Doubted {
        let statement = self.task.statement(step);
        match statement {
            Statement::Skip | Statement::AtomicBegin | Statement::AtomicEnd => {}
            Statement::Guard { condition, .. } => self.needs(step, *condition)?,
            Statement::Assign {
                register,
                operation,
            } => {
                self.define(step, *register, self.result(step, operation));
            }
            Statement::ParallelAssign(moves) => {
                let source = |&(register, operand)| (register, self.source(step, operand));
                let moves: Vec<_> = moves.iter().map(source).collect();
                for (register, source) in moves {
                    self.define(step, register, source);
                }
            }
            Statement::Havoc { register, origin } => {
                let source = match origin {
                    HavocOrigin::Library => Source {
                        unknown: Some(Unknown::result(step.site)),
                        ..Source::default()
                    },
                    HavocOrigin::External => Source {
                        external: Some(step.site),
                        ..Source::default()
                    },
                    HavocOrigin::Input | HavocOrigin::Undefined | HavocOrigin::Watch => {
                        Source::default()
                    }
                };
                self.define(step, *register, source);
            }
            Statement::Load {
                register, address, ..
            } => {
                self.accesses(step, *address)?;
                self.define(step, *register, self.base(step).or(self.read(step)));
            }
            Statement::Store { value, address, .. } => {
                self.accesses(step, *address)?;
                let source = self.source(step, *value);
                self.write(step, self.base(step));
                // What is written last is the value; the number of an address that it is a part of comes before.
                let last = step.events.iter().rev().find_map(|&event| written(event));
                for byte in last.into_iter().flat_map(bytes_of) {
                    set(&mut self.memory, byte, source);
                }
            }
            Statement::AtomicRmw {
                register,
                address,
                operand,
                ..
            } => {
                self.accesses(step, *address)?;
                let old = self.read(step);
                self.write(step, old.or(self.source(step, *operand)));
                self.define(step, *register, old);
            }
            Statement::CompareExchange {
                register,
                success,
                address,
                expected,
                desired,
            } => {
                self.accesses(step, *address)?;
                let old = self.read(step);
                let lies = self.exchanged_outlived(step, *expected, old);
                let compared = old
                    .or(self.source(step, *expected))
                    .or(Source::place(step, lies));
                self.write(step, self.source(step, *desired));
                // Whether memory was written is as unknown as what was compared.
                if compared.unknown.is_some() {
                    self.overwrite(step, compared);
                }
                self.define(step, *register, old);
                self.define(step, *success, compared);
                self.meets(step, *expected, compared);
            }
            Statement::LifetimeStart { local } => {
                let place = Place::Local(*local);
                let object = self.task.instances.resolve(step.instance, place);
                self.lives.insert(object, self.now);
                self.alive.insert(object);
                self.forget(object);
            }
            Statement::Allocate { register, size, .. } => {
                self.needs(step, *size)?;
                let taken = Some(self.now);
                let source = Source {
                    taken,
                    ..Source::default()
                };
                self.define(step, *register, source);
            }
            Statement::Free { address, .. } => self.accesses(step, *address)?,
            Statement::Size { register, address } => {
                self.accesses(step, *address)?;
                self.define(step, *register, Source::default());
            }
            Statement::LifetimeEnd { .. } | Statement::FindLeak(_) => {}
            Statement::Create {
                register,
                start,
                argument,
            } => {
                self.needs(step, *start)?;
                self.start(step, *argument);
                self.define(step, *register, Source::default());
            }
            Statement::Join {
                register,
                thread,
                value,
            } => {
                self.needs(step, *thread)?;
                self.accesses(step, *value)?;
                self.write(step, self.joined(step));
                self.define(step, *register, Source::default());
            }
            Statement::Detach { thread } => self.needs(step, *thread)?,
            Statement::NumberOfThread { register, thread } => {
                self.needs(step, *thread)?;
                self.define(step, *register, Source::default());
            }
            Statement::SelfHandle { register } | Statement::SelfNumber { register } => {
                self.define(step, *register, Source::default());
            }
            Statement::Number {
                register,
                address,
                unless,
            } => {
                let mut source = self.base(step).or(self.source(step, *address));
                if let Some(other) = unless.operand() {
                    let other = self.source(step, other);
                    source.unknown = source.unknown.or(other.unknown);
                }
                self.define(step, *register, source);
            }
            Statement::TestConflicts { .. } => self.anything()?,
            Statement::Mutex {
                register, mutex, ..
            } => {
                self.accesses(step, *mutex)?;
                demand(self.mutex(step))?;
                self.define(step, *register, Source::default());
            }
            Statement::Return { value } => {
                let source = value.map(|value| self.source(step, value));
                self.results
                    .extend(source.map(|source| (step.instance, source)));
            }
        }
        for &(register, bits) in &step.registers {
            let value = bits.value as u64;
            self.values.insert((step.instance, register), value);
        }
        for event in &step.events {
            if let Observation::Allocated { object, .. } | Observation::Freed(object) = *event {
                self.forget(object);
                // No statement accesses a freed object before it is allocated again.
                self.lives.insert(object, self.now);
            } else if let Observation::Died(object) = event {
                self.alive.remove(object);
            }
        }
        Ok(())
    }

    /// The object whose place in memory a step asks for.
    fn base(&self, step: &ReplayStep) -> Source {
        let mut events = step.events.iter();
        let lies = events.find_map(|&event| lies_at(self.task, event));
        Source::place(step, lies.map(|(object, _)| object))
    }

    fn source(&self, step: &ReplayStep, operand: Operand) -> Source {
        match operand {
            Operand::Register(register) => {
                let source = self.registers.get(&(step.instance, register));
                source.copied().unwrap_or_default()
            }
            Operand::Address(place @ Place::Local(_), _) => {
                let object = self.task.instances.resolve(step.instance, place);
                // Optimising may compute an address before the life that it is used in.
                let is_alive = self.alive.contains(&object);
                Source {
                    taken: is_alive.then_some(self.now),
                    ..Source::default()
                }
            }
            Operand::Constant(_) | Operand::Address(..) => Source::default(),
        }
    }

    fn value(&self, step: &ReplayStep, operand: Operand) -> Option<u64> {
        match operand {
            Operand::Register(register) => self.values.get(&(step.instance, register)).copied(),
            Operand::Address(place, offset) => {
                let instances = &self.task.instances;
                Some(instances.address(step.instance, place, offset))
            }
            Operand::Constant(bits) => u64::try_from(bits.value).ok(),
        }
    }

    /// A step accesses memory at an address.
    fn accesses(&self, step: &ReplayStep, address: Operand) -> Doubted {
        self.needs(step, address)?;
        // That a function gives an address that leads nowhere is no violation of the program.
        if let Some(site) = self.source(step, address).external
            && step.undefined.is_some()
        {
            return Err(Doubt::Depends(Unknown::result(site)));
        }
        match self.outlived(step, address) {
            Some(object) => Err(Doubt::Over {
                step: self.now as usize - 1,
                site: step.site,
                object,
                taken: self.source(step, address).taken.unwrap_or(0) as usize,
            }),
            None => Ok(()),
        }
    }

    /// Where the result of an operation comes from.
    fn result(&self, step: &ReplayStep, operation: &Operation) -> Source {
        if let Operation::Select(condition, then, otherwise) = *operation
            && let Some(chosen) = self.value(step, condition)
        {
            let chosen = self.source(step, if chosen == 0 { otherwise } else { then });
            let unknown = self.source(step, condition).unknown;
            return Source {
                unknown: unknown.or(chosen.unknown),
                ..chosen
            };
        }
        let mut source = Source::default();
        operation.for_each_operand(|operand| source = source.or(self.source(step, operand)));
        let lies = match *operation {
            Operation::Compare(_, left, right) => self.compared_outlived(step, [left, right]),
            Operation::Binary(BinaryOperator::Subtract, left, right) => {
                self.subtracted_outlived(step, [left, right])
            }
            Operation::Copy(_)
            | Operation::Binary(..)
            | Operation::Cast(..)
            | Operation::Select(..)
            | Operation::Offset { .. } => None,
        };
        source.or(Source::place(step, lies))
    }

    /// The course of the run depends on an operand.
    fn needs(&self, step: &ReplayStep, operand: Operand) -> Doubted {
        demand(self.source(step, operand))
    }

    /// A statement that looks at all threads depends on everything.
    fn anything(&self) -> Doubted {
        let all = self.registers.values().chain(self.memory.values());
        demand(Source::all(all.copied()))
    }

    fn define(&mut self, step: &ReplayStep, register: RegisterId, source: Source) {
        set(&mut self.registers, (step.instance, register), source);
    }

    /// The parameter of a thread that is started.
    fn start(&mut self, step: &ReplayStep, argument: Operand) {
        let source = self.source(step, argument);
        let value = self.value(step, argument);
        for event in &step.events {
            if let Observation::Started(thread) = *event {
                let template =
                    &self.task.program.templates[self.task.instances.threads[thread].template];
                for &parameter in &template.parameters {
                    set(&mut self.registers, (thread, parameter), source);
                    self.values
                        .extend(value.map(|value| ((thread, parameter), value)));
                }
            }
        }
    }

    /// Where the result of a thread comes from that is joined.
    fn joined(&self, step: &ReplayStep) -> Source {
        let joined = step.events.iter().find_map(|event| {
            let Observation::Joined(thread) = event else {
                return None;
            };
            self.results.get(thread).copied()
        });
        joined.unwrap_or_default()
    }

    /// Where the bytes come from that a step reads.
    fn read(&self, step: &ReplayStep) -> Source {
        Source::all(reads(step).filter_map(|byte| self.memory.get(&byte).copied()))
    }

    /// Where the bytes of the mutex come from that a step operates on.
    fn mutex(&self, step: &ReplayStep) -> Source {
        let sources = step.events.iter().filter_map(|event| {
            let (Observation::Acquired { object, offset }
            | Observation::Released { object, offset }
            | Observation::Refused { object, offset, .. }) = *event
            else {
                return None;
            };
            let bytes = offset..offset + self.task.program.data_model.mutex().size;
            let tainted = self
                .memory
                .range((object, bytes.start)..(object, bytes.end));
            Some(Source::all(tainted.map(|(_, source)| *source)))
        });
        Source::all(sources)
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
fn demand(source: Source) -> Doubted {
    match source.unknown {
        Some(unknown) => Err(Doubt::Depends(unknown)),
        None => Ok(()),
    }
}

fn set<K: Ord>(tainted: &mut BTreeMap<K, Source>, key: K, source: Source) {
    if source.unknown.is_some() || source.taken.is_some() || source.external.is_some() {
        tainted.insert(key, source);
    } else {
        tainted.remove(&key);
    }
}
