//! Inline assembly that is an atomic instruction of x86 becomes an atomic instruction of LLVM. Memory is sequentially consistent, so
//! fences and hints to the processor become nothing. Other inline assembly stays, and is not read.

mod operands;
mod text;

use inkwell::AtomicRMWBinOp;

use self::operands::{Operand, operands, replace};
use self::text::{Condition, Flag, Instruction, Operator, Place, Source, parse};
use crate::llvm::{Builder, Module, Value};

/// Replaces the inline assembly that is known.
pub(super) fn replace_known(module: &Module) {
    let calls = module.functions().into_iter().flat_map(Value::body);
    let calls = calls.filter(|value| value.is_call() && value.callee().is_inline_assembly());
    for call in Vec::from_iter(calls) {
        let text = String::from_utf8(call.callee().assembly_text());
        let instructions = text.ok().and_then(|text| parse(&text));
        let (Some(instructions), Some(operands)) = (instructions, operands(call)) else {
            continue;
        };
        let before = call.previous();
        let translation = Translation {
            module,
            builder: Builder::before(module, call).copy_position(call),
            operands,
            result: None,
            is_shared_written: false,
        };
        if translation.replace(call, &instructions).is_some() {
            call.erase();
        } else {
            while let Some(inserted) = call.previous().filter(|&last| Some(last) != before) {
                inserted.erase();
            }
        }
    }
}

/// Inline assembly on its way to instructions of LLVM.
struct Translation<'a> {
    module: &'a Module,
    builder: Builder,
    operands: Vec<Operand>,
    /// What the flags tell about.
    result: Option<Compared>,
    /// Whether a register was written that an input may share, such as the address of an operand in memory.
    is_shared_written: bool,
}

/// What an operation leaves in the flags.
#[derive(Clone, Copy)]
enum Compared {
    /// Whether a compare-and-swap has succeeded.
    Success(Value),
    /// The new value.
    Value(Value),
}

impl Translation<'_> {
    /// `None` if operands do not fit the instructions.
    fn replace(mut self, call: Value, instructions: &[Instruction]) -> Option<()> {
        for instruction in instructions {
            self.instruction(instruction)?;
        }
        for index in 0..self.operands.len() {
            if let Some(flag) = self.operands[index].flag {
                let wanted = self.operands[index].result_type(call)?;
                let set = self.flag(flag)?;
                self.operands[index].value = Some(self.builder.resize(set, wanted));
            }
        }
        replace(self.module, &self.builder, call, &self.operands).then_some(())
    }

    fn instruction(&mut self, instruction: &Instruction) -> Option<()> {
        let is_flag = matches!(instruction, Instruction::SetIf { .. });
        if self.is_shared_written && !is_flag {
            return None;
        }
        match *instruction {
            Instruction::CompareExchange { memory, new, bits } => {
                let pointer = self.pointer(memory)?;
                let new = self.register(new, bits)?;
                let accumulator = self
                    .operands
                    .iter()
                    .position(|operand| operand.is_accumulator)?;
                let expected = self.register(accumulator, bits)?;
                if expected.value_type_of() != new.value_type_of() {
                    return None;
                }
                let swapped = self.builder.compare_exchange(pointer, expected, new);
                let old = self.builder.part(self.module, swapped, 0);
                self.write(accumulator, old);
                let success = self.builder.part(self.module, swapped, 1);
                self.result = Some(Compared::Success(success));
            }
            Instruction::Exchange {
                memory,
                register,
                bits,
            } => {
                // The operands of `xchg` may come in any order.
                let (memory, register) = match memory {
                    Place::Operand(other) if self.operands.get(register)?.pointer.is_some() => {
                        (Place::Operand(register), other)
                    }
                    Place::Operand(_) | Place::At(_) => (memory, register),
                };
                let pointer = self.pointer(memory)?;
                let new = self.register(register, bits)?;
                let old = self
                    .builder
                    .atomic_update(AtomicRMWBinOp::Xchg, pointer, new);
                self.write(register, old);
            }
            Instruction::ExchangeAdd {
                memory,
                register,
                bits,
            } => {
                let value = self.register(register, bits)?;
                let old = self.update(Operator::Add, memory, value)?;
                self.write(register, old);
            }
            Instruction::Update {
                operator,
                memory,
                value,
                bits,
            } => {
                let value = match value {
                    Source::Operand(position) => self.register(position, bits)?,
                    Source::Constant(value) => self.module.int_type(bits?).constant(value as u64),
                };
                self.update(operator, memory, value)?;
            }
            Instruction::Fence => self.result = None,
            Instruction::SetIf { flag, target } => {
                let byte = self.module.int_type(8);
                let set = self.builder.resize(self.flag(flag)?, byte);
                match self.operands.get(target)?.pointer {
                    Some(_) if self.is_shared_written => return None,
                    Some(pointer) => {
                        self.builder.store(set, pointer);
                    }
                    None => self.write(target, set),
                }
            }
        }
        Some(())
    }

    fn write(&mut self, register: usize, value: Value) {
        let operand = &mut self.operands[register];
        operand.value = Some(value);
        self.is_shared_written |= !operand.is_early;
    }

    /// Updates memory; the old value.
    fn update(&mut self, operator: Operator, memory: Place, value: Value) -> Option<Value> {
        let pointer = self.pointer(memory)?;
        value.value_type_of().int_width()?;
        let builder = &self.builder;
        let (update, compute): (_, fn(&Builder, Value, Value) -> Value) = match operator {
            Operator::Add => (AtomicRMWBinOp::Add, Builder::add),
            Operator::Subtract => (AtomicRMWBinOp::Sub, Builder::subtract),
            Operator::And => (AtomicRMWBinOp::And, Builder::and),
            Operator::Or => (AtomicRMWBinOp::Or, Builder::or),
            Operator::Xor => (AtomicRMWBinOp::Xor, Builder::xor),
        };
        let old = builder.atomic_update(update, pointer, value);
        self.result = Some(Compared::Value(compute(builder, old, value)));
        Some(old)
    }

    /// The address of memory.
    fn pointer(&self, memory: Place) -> Option<Value> {
        match memory {
            Place::Operand(position) => self.operands.get(position)?.pointer,
            Place::At(position) => {
                let value = self.operands.get(position)?.value?;
                value.value_type_of().is_pointer().then_some(value)
            }
        }
    }

    /// What a register of this size holds. A larger one would keep its upper bits.
    fn register(&self, position: usize, bits: Option<u32>) -> Option<Value> {
        let value = self.operands.get(position)?.value?;
        let width = match value.value_type_of() {
            pointer if pointer.is_pointer() => self.module.data_model().address_bits(),
            other => other.int_width()?,
        };
        let is_whole = bits.is_none_or(|bits| bits == width) && [8, 16, 32, 64].contains(&width);
        is_whole.then_some(value)
    }

    /// Whether a flag is set, as one bit.
    fn flag(&self, Flag { condition, negated }: Flag) -> Option<Value> {
        let builder = &self.builder;
        let set = match (condition, self.result?) {
            (Condition::Zero, Compared::Success(success)) => success,
            (Condition::Zero, Compared::Value(value)) => {
                builder.equal(value, value.value_type_of().constant(0))
            }
            (Condition::Negative, Compared::Value(value)) => {
                let sign = value.value_type_of().int_width()? - 1;
                builder.resize(
                    builder.shift_right(value, sign.into()),
                    self.module.int_type(1),
                )
            }
            (Condition::Negative, Compared::Success(_)) => return None,
        };
        Some(match negated {
            true => builder.equal(set, self.module.int_type(1).constant(0)),
            false => set,
        })
    }
}
