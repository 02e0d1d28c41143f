//! The effect of each statement.

use abi::ids::InstanceId;

use super::memory::{AccessPurpose, ByteRange};
use super::{
    Interpreter, NondeterministicChoice, Observation, Oracle, State, ThreadStatus, Waiting,
    operation,
};
use program::model::{
    Bits, LocalId, ObjectId, Operand, Operation, Place, RegisterId, Statement, Undefined,
    UpdateOperator,
};

/// Why a thread does not arrive at the target of its edge.
pub(super) enum Interruption {
    Undefined(Undefined),
    ThreadLimit,
    HeapLimit,
    Waiting(Waiting),
    Rejected,
}

impl<T: Into<Undefined>> From<T> for Interruption {
    fn from(undefined: T) -> Self {
        Self::Undefined(undefined.into())
    }
}

/// One thread in the middle of a step.
pub(super) struct Execution<'a, 'b> {
    pub(super) interpreter: &'a Interpreter<'a>,
    pub(super) state: &'b mut State,
    pub(super) instance: InstanceId,
    pub(super) oracle: &'b mut dyn Oracle,
}

impl Execution<'_, '_> {
    /// Executes the statement of an edge that the thread may take. Registers that are written although dead may hold any value.
    pub(super) fn execute(&mut self, statement: &Statement) -> Result<(), Interruption> {
        match *statement {
            Statement::Skip
            | Statement::Guard { .. }
            | Statement::AtomicBegin
            | Statement::AtomicEnd => {}
            Statement::Assign {
                register,
                ref operation,
            } => {
                let value = self.evaluate(register, operation);
                self.set(register, value);
            }
            Statement::ParallelAssign(ref moves) => self.parallel(moves),
            Statement::Havoc { register, origin } => {
                let width = self.register_width(register);
                let choice = NondeterministicChoice::Havoc {
                    instance: self.instance,
                    register,
                    width,
                    origin,
                };
                let value = self.choose(&choice);
                self.set(register, value);
            }
            Statement::Load {
                register,
                address,
                atomic: _,
                ref words,
            } => {
                let width = self.register_width(register);
                let range = self.access(address, width, AccessPurpose::Read)?;
                let pieced = self.pieced_words(range, words);
                let value = self.read(range) & Bits::mask(width);
                if self.look_like_addresses(&pieced) {
                    return Err(Interruption::Rejected);
                }
                let bytes = self.with_parts(range, words, value);
                self.set(register, bytes & Bits::mask(width));
            }
            Statement::Store {
                value,
                address,
                atomic: _,
                ref words,
            } => {
                let range = self.access(address, self.width(value), AccessPurpose::Write)?;
                self.write_numbers(range, words);
                let value = self.value(value);
                self.write(range, value);
            }
            Statement::AtomicRmw {
                register,
                address,
                operator,
                operand,
            } => {
                self.update(register, address, operator, operand)?;
            }
            Statement::CompareExchange {
                register,
                success,
                address,
                expected,
                desired,
            } => {
                self.compare_exchange([register, success], address, expected, desired)?;
            }
            Statement::LifetimeStart { local } => {
                let object = self.local(local);
                let map = &self.interpreter.memory;
                map.start_lifetime(&mut self.state.memory, object);
                self.oracle.observe(Observation::Uninitialised(object));
            }
            Statement::LifetimeEnd { ref locals } => {
                for &local in locals {
                    let object = self.local(local);
                    let map = &self.interpreter.memory;
                    map.end_lifetime(&mut self.state.memory, object);
                    self.oracle.observe(Observation::Died(object));
                }
            }
            Statement::Allocate {
                register,
                site,
                size,
                zeroed,
            } => {
                self.allocate(register, site, size, zeroed)?;
            }
            Statement::Free { address, automatic } => self.free(address, automatic)?,
            Statement::Size { register, address } => self.size(register, address)?,
            Statement::Create {
                register,
                start,
                argument,
            } => self.create(register, start, argument)?,
            Statement::Join {
                register,
                thread,
                value,
            } => self.join(register, thread, value)?,
            Statement::Detach { thread } => self.detach(thread)?,
            Statement::NumberOfThread { register, thread } => {
                self.number_of_thread(register, thread)?
            }
            Statement::SelfHandle { register } => {
                let handle = self.interpreter.instances.handle(self.instance);
                self.set(register, handle.into());
            }
            Statement::SelfNumber { register } => {
                self.set(register, self.instance.number().into());
            }
            Statement::Number {
                register,
                address,
                unless,
            } => self.number(register, address, unless),
            Statement::FindLeak(search) => self.find_leak(search)?,
            Statement::TestConflicts {
                register,
                known,
                tests: ref questions,
            } => {
                let oracle = &*self.oracle;
                let foresee = |choice: &NondeterministicChoice<'_>| oracle.foresee(choice);
                let mut answers = questions.iter().map(|question| {
                    let (state, instance) = (&*self.state, self.instance);
                    self.interpreter
                        .answer_foreseeing(state, instance, question, &foresee)
                });
                let any = answers.any(|answer| answer) || self.value(known) == 1;
                self.set(register, u128::from(any));
            }
            Statement::Mutex {
                operation,
                register,
                mutex,
            } => self.mutex(operation, register, mutex)?,
            Statement::Return { value } => {
                let result = value.map(|value| self.address(value));
                self.state.thread_mut(self.instance).status = ThreadStatus::Returned(result);
            }
        }
        Ok(())
    }

    pub(super) fn value(&self, operand: Operand) -> u128 {
        self.interpreter.value(self.state, self.instance, operand)
    }

    pub(super) fn address(&self, operand: Operand) -> u64 {
        self.value(operand) as u64
    }

    fn width(&self, operand: Operand) -> u32 {
        self.interpreter.template(self.instance).width(operand)
    }

    fn register_width(&self, register: RegisterId) -> u32 {
        self.width(Operand::Register(register))
    }

    pub(super) fn set(&mut self, register: RegisterId, value: u128) {
        self.state.thread_mut(self.instance).registers[register] = value;
    }

    pub(super) fn choose(&mut self, choice: &NondeterministicChoice<'_>) -> u128 {
        Bits::new(choice.width(), self.oracle.choose(choice)).value
    }

    fn evaluate(&self, register: RegisterId, operation: &Operation) -> u128 {
        match *operation {
            Operation::Copy(operand) => self.value(operand),
            Operation::Binary(operator, left, right) => operation::binary(
                operator,
                self.width(left),
                self.value(left),
                self.value(right),
            ),
            Operation::Compare(comparison, left, right) => u128::from(operation::compare(
                comparison,
                self.width(left),
                self.value(left),
                self.value(right),
            )),
            Operation::Cast(cast, operand) => operation::cast(
                self.interpreter.instances.data_model,
                cast,
                self.width(operand),
                self.register_width(register),
                self.value(operand),
            ),
            Operation::Select(condition, yes, no) => {
                if self.value(condition) != 0 {
                    self.value(yes)
                } else {
                    self.value(no)
                }
            }
            Operation::Offset {
                base,
                constant,
                ref indices,
            } => {
                let distance =
                    indices
                        .iter()
                        .fold(i128::from(constant as i64), |sum, &(index, scale)| {
                            let index = Bits {
                                width: self.width(index),
                                value: self.value(index),
                            }
                            .signed() as i64;
                            sum.saturating_add(i128::from(index) * i128::from(scale as i64))
                        });
                let instances = self.interpreter.instances;
                operation::offset(instances, self.address(base), distance).into()
            }
        }
    }

    fn parallel(&mut self, moves: &[(RegisterId, Operand)]) {
        if let [(register, operand)] = *moves {
            let value = self.value(operand);
            return self.set(register, value);
        }
        let values: Vec<u128> = moves
            .iter()
            .map(|&(_, operand)| self.value(operand))
            .collect();
        for (&(register, _), value) in moves.iter().zip(values) {
            self.set(register, value);
        }
    }

    /// The bytes of an access of `width` bits.
    pub(super) fn access(
        &self,
        address: Operand,
        width: u32,
        access: AccessPurpose,
    ) -> Result<ByteRange, Interruption> {
        let (state, address) = (&*self.state, self.address(address));
        Ok(self
            .interpreter
            .valid_range(state, address, width.div_ceil(8), access)?)
    }

    /// The thread's own object of a local.
    fn local(&self, local: LocalId) -> ObjectId {
        let place = Place::Local(local);
        self.interpreter.instances.resolve(self.instance, place)
    }

    /// Reads a range; arbitrary bytes get their value now.
    pub(super) fn read(&mut self, range: ByteRange) -> u128 {
        let map = &self.interpreter.memory;
        let bytes = map.arbitrary(&self.state.memory, range);
        if bytes != 0 {
            let value = self.choose(&NondeterministicChoice::Content {
                object: range.object,
                offset: range.offset,
                bytes,
            });
            map.settle(&mut self.state.memory, range, bytes, value);
        }
        let value = map.read(&self.state.memory, range);
        let (object, offset) = (range.object, range.offset);
        self.oracle.observe(Observation::Read {
            object,
            offset,
            value: Bits {
                width: range.bits(),
                value,
            },
        });
        value
    }

    pub(super) fn write(&mut self, range: ByteRange, value: u128) {
        self.interpreter
            .memory
            .write(&mut self.state.memory, range, value);
        let (object, offset) = (range.object, range.offset);
        self.oracle.observe(Observation::Write {
            object,
            offset,
            value: Bits {
                width: range.bits(),
                value,
            },
        });
    }

    /// Reads `width` bits from memory that may be written.
    fn load(&mut self, address: Operand, width: u32) -> Result<(ByteRange, u128), Interruption> {
        let range = self.access(address, width, AccessPurpose::Write)?;
        let value = self.read(range) & Bits::mask(width);
        Ok((range, value))
    }

    fn update(
        &mut self,
        register: RegisterId,
        address: Operand,
        operator: UpdateOperator,
        operand: Operand,
    ) -> Result<(), Interruption> {
        let width = self.register_width(register);
        let operand = self.value(operand);
        let (range, old) = self.load(address, width)?;
        self.write(range, operation::update(operator, width, old, operand));
        self.set(register, old);
        Ok(())
    }

    fn compare_exchange(
        &mut self,
        [register, success]: [RegisterId; 2],
        address: Operand,
        expected: Operand,
        desired: Operand,
    ) -> Result<(), Interruption> {
        let (expected, desired) = (self.value(expected), self.value(desired));
        let width = self.register_width(register);
        let (range, old) = self.load(address, width)?;
        if width == self.interpreter.instances.data_model.address_bits()
            && let Some(object) = self.undecided(old as u64, expected as u64)
        {
            return Err(Undefined::Compared(object).into());
        }
        if old == expected {
            self.write(range, desired);
        }
        self.set(register, old);
        self.set(success, u128::from(old == expected));
        Ok(())
    }
}
