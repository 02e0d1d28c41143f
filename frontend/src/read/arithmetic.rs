//! Instructions and constant expressions that only compute.
#![allow(clippy::wildcard_enum_match_arm)] // LLVM's lists: what is not named is refused or has none of the property.

use inkwell::IntPredicate;
use inkwell::values::InstructionOpcode as Op;

use super::builder::constant;
use super::reader::{Read, unreadable};
use super::thread::ThreadReader;
use crate::llvm::{Value, displacement};
use crate::normalize::CHECKED_METADATA;
use program::model::{
    BinaryOperator, Bits, Cast, Comparison, HavocOrigin, LimitKind, LocationKind, Operand,
    Operation,
};

impl ThreadReader<'_, '_> {
    /// The result of an instruction or constant expression without side effects.
    pub fn compute(&mut self, value: Value, opcode: Op) -> Read<Vec<Operand>> {
        use BinaryOperator as B;
        match opcode {
            Op::Add => self.binary(value, B::Add),
            Op::Sub => self.binary(value, B::Subtract),
            Op::Mul => self.binary(value, B::Multiply),
            Op::UDiv => self.binary(value, B::UnsignedDivide),
            Op::SDiv => self.binary(value, B::SignedDivide),
            Op::URem => self.binary(value, B::UnsignedRemainder),
            Op::SRem => self.binary(value, B::SignedRemainder),
            Op::Shl => self.binary(value, B::ShiftLeft),
            Op::LShr => self.binary(value, B::LogicalShiftRight),
            Op::AShr => self.binary(value, B::ArithmeticShiftRight),
            Op::And => self.binary(value, B::And),
            Op::Or => self.binary(value, B::Or),
            Op::Xor => self.binary(value, B::Xor),
            Op::Trunc | Op::ZExt | Op::PtrToInt | Op::IntToPtr => {
                self.cast(value, Cast::ZeroExtend)
            }
            Op::SExt => self.cast(value, Cast::SignExtend),
            Op::BitCast => self.bit_cast(value),
            Op::Freeze => self.first_operands(value),
            Op::ICmp => self.integer_compare(value),
            Op::Select => self.select(value),
            Op::GetElementPtr => self.element_address(value),
            Op::ExtractValue => self.extract_value(value),
            Op::InsertValue => self.insert_value(value),
            Op::ExtractElement => self.extract_element(value),
            Op::InsertElement => self.insert_element(value),
            Op::ShuffleVector => self.shuffle(value),
            Op::AddrSpaceCast => unreadable("another address space"),
            _ => unreadable(format!("the operation `{}`", value.print().trim())),
        }
    }

    fn first_operands(&mut self, value: Value) -> Read<Vec<Operand>> {
        self.operands_at(value, 0)
    }

    fn operands_at(&mut self, value: Value, index: u32) -> Read<Vec<Operand>> {
        match value.operand(index) {
            Some(operand) => self.operands(operand),
            None => unreadable("an instruction without operand"),
        }
    }

    fn binary(&mut self, value: Value, operator: BinaryOperator) -> Read<Vec<Operand>> {
        let (left, right) = (self.operands_at(value, 0)?, self.operands_at(value, 1)?);
        let checked = value.has_metadata(self.reader.module.metadata_kind(CHECKED_METADATA));
        Ok(left
            .into_iter()
            .zip(right)
            .map(|(left, right)| {
                if checked {
                    self.builder.binary(operator, left, right)
                } else {
                    self.scalar_binary(operator, left, right)
                }
            })
            .collect())
    }

    fn scalar_binary(
        &mut self,
        operator: BinaryOperator,
        left: Operand,
        right: Operand,
    ) -> Operand {
        use BinaryOperator as B;
        match operator {
            B::UnsignedDivide | B::UnsignedRemainder => self.require_divisor(right),
            B::SignedDivide | B::SignedRemainder => {
                self.require_divisor(right);
                self.require_no_overflow(left, right);
            }
            // No statement uses the result of a shift by the width or more: see `normalize::poison`.
            B::ShiftLeft | B::LogicalShiftRight | B::ArithmeticShiftRight => {}
            B::Add | B::Subtract | B::Multiply | B::And | B::Or | B::Xor => {}
        }
        self.builder.binary(operator, left, right)
    }

    /// Division by zero is undefined.
    fn require_divisor(&mut self, divisor: Operand) {
        if !matches!(divisor, Operand::Constant(bits) if bits.value != 0) {
            let zero = constant(self.builder.width(divisor), 0);
            let fine = self.builder.compare(Comparison::NotEqual, divisor, zero);
            self.builder
                .require(fine, LocationKind::Limit(LimitKind::Undefined));
        }
    }

    /// Dividing the least number by -1 is undefined.
    fn require_no_overflow(&mut self, dividend: Operand, divisor: Operand) {
        let width = self.builder.width(dividend);
        let minus_one = Bits::mask(width);
        let least = 1 << (width - 1);
        if matches!(divisor, Operand::Constant(bits) if bits.value != minus_one)
            || matches!(dividend, Operand::Constant(bits) if bits.value != least)
        {
            return;
        }
        let dividend_fine =
            self.builder
                .compare(Comparison::NotEqual, dividend, constant(width, least));
        let divisor_fine =
            self.builder
                .compare(Comparison::NotEqual, divisor, constant(width, minus_one));
        let fine = self
            .builder
            .binary(BinaryOperator::Or, dividend_fine, divisor_fine);
        self.builder
            .require(fine, LocationKind::Limit(LimitKind::Undefined));
    }

    fn cast(&mut self, value: Value, extension: Cast) -> Read<Vec<Operand>> {
        let widths = self.widths(value.value_type_of())?;
        let operands = self.first_operands(value)?;
        Ok(operands
            .into_iter()
            .zip(widths)
            .map(|(o, width)| self.builder.convert(width, o, extension))
            .collect())
    }

    /// The same bits as other scalars. The first scalar is the lowest in memory.
    fn bit_cast(&mut self, value: Value) -> Read<Vec<Operand>> {
        let widths = self.widths(value.value_type_of())?;
        let operands = self.first_operands(value)?;
        if operands
            .iter()
            .map(|operand| self.builder.width(*operand))
            .eq(widths.iter().copied())
        {
            return Ok(operands);
        }
        let total = widths.iter().sum();
        if total > 128 {
            return unreadable("a cast between vectors of more than 128 bits");
        }
        let bits = self.concatenate(&operands, total);
        Ok(self.split(bits, &widths))
    }

    /// One operand of `total` bits from scalars, the first lowest.
    pub fn concatenate(&mut self, scalars: &[Operand], total: u32) -> Operand {
        let mut bits = constant(total, 0);
        let mut position = 0;
        for scalar in scalars {
            let widened = self.builder.resize(total, *scalar);
            let moved = self.shifted(BinaryOperator::ShiftLeft, widened, position);
            bits = if position == 0 {
                moved
            } else {
                self.builder.binary(BinaryOperator::Or, bits, moved)
            };
            position += self.builder.width(*scalar);
        }
        bits
    }

    /// The scalars of these widths in an operand, the first lowest.
    pub fn split(&mut self, bits: Operand, widths: &[u32]) -> Vec<Operand> {
        let mut position = 0;
        let mut scalars = Vec::new();
        for width in widths {
            let moved = self.shifted(BinaryOperator::LogicalShiftRight, bits, position);
            scalars.push(self.builder.resize(*width, moved));
            position += width;
        }
        scalars
    }

    pub fn shifted(&mut self, operator: BinaryOperator, bits: Operand, amount: u32) -> Operand {
        if amount == 0 {
            return bits;
        }
        let width = self.builder.width(bits);
        self.builder
            .binary(operator, bits, constant(width, amount.into()))
    }

    fn integer_compare(&mut self, value: Value) -> Read<Vec<Operand>> {
        use Comparison as C;
        let (left, right) = (self.operands_at(value, 0)?, self.operands_at(value, 1)?);
        let (comparison, swapped) = match value.integer_predicate() {
            IntPredicate::EQ => (C::Equal, false),
            IntPredicate::NE => (C::NotEqual, false),
            IntPredicate::ULT => (C::UnsignedLess, false),
            IntPredicate::ULE => (C::UnsignedLessEqual, false),
            IntPredicate::UGT => (C::UnsignedLess, true),
            IntPredicate::UGE => (C::UnsignedLessEqual, true),
            IntPredicate::SLT => (C::SignedLess, false),
            IntPredicate::SLE => (C::SignedLessEqual, false),
            IntPredicate::SGT => (C::SignedLess, true),
            IntPredicate::SGE => (C::SignedLessEqual, true),
        };
        let (left, right) = if swapped {
            (right, left)
        } else {
            (left, right)
        };
        Ok(left
            .into_iter()
            .zip(right)
            .map(|(left, right)| self.builder.compare(comparison, left, right))
            .collect())
    }

    fn select(&mut self, value: Value) -> Read<Vec<Operand>> {
        let conditions = self.first_operands(value)?;
        let (then, otherwise) = (self.operands_at(value, 1)?, self.operands_at(value, 2)?);
        // One condition for all scalars, or one for each.
        let conditions = conditions.into_iter().cycle();
        let choices = then.into_iter().zip(otherwise).zip(conditions);
        Ok(choices
            .map(|((then, otherwise), condition)| self.builder.select(condition, then, otherwise))
            .collect())
    }

    fn element_address(&mut self, value: Value) -> Read<Vec<Operand>> {
        let base = self.operand(value.operand(0))?;
        let Some(displacement) = displacement(self.reader.module, value) else {
            return unreadable("an address computation over vectors");
        };
        if displacement.indices.is_empty() {
            return Ok(vec![self.builder.displace(base, displacement.constant)]);
        }
        let mut indices = Vec::new();
        for (index, scale) in displacement.indices {
            let index = self.operand(Some(index))?;
            let width = self.builder.address_bits().min(self.builder.width(index));
            indices.push((self.builder.resize(width, index), scale));
        }
        let constant = displacement.constant;
        Ok(vec![self.builder.assign(
            self.builder.address_bits(),
            Operation::Offset {
                base,
                constant,
                indices,
            },
        )])
    }

    fn extract_value(&mut self, value: Value) -> Read<Vec<Operand>> {
        let Some(aggregate) = value.operand(0) else {
            return unreadable("an instruction without operand");
        };
        let range = self.scalar_range(aggregate.value_type_of(), &value.indices())?;
        Ok(self
            .operands(aggregate)?
            .get(range)
            .map(<[Operand]>::to_vec)
            .unwrap_or_default())
    }

    fn insert_value(&mut self, value: Value) -> Read<Vec<Operand>> {
        let range = self.scalar_range(value.value_type_of(), &value.indices())?;
        let mut scalars = self.first_operands(value)?;
        let part = self.operands_at(value, 1)?;
        scalars.splice(range, part);
        Ok(scalars)
    }

    fn extract_element(&mut self, value: Value) -> Read<Vec<Operand>> {
        let elements = self.first_operands(value)?;
        let index = self.operand(value.operand(1))?;
        let width = self.scalar_width(value.value_type_of())?;
        let mut picked = constant(width, 0);
        for (element, position) in elements.iter().zip(0u128..) {
            picked = self.pick(index, position, *element, picked);
        }
        // An index outside the vector selects an arbitrary value.
        let count = elements.len() as u128;
        let result = match index {
            Operand::Constant(bits) if bits.value < count => picked,
            Operand::Constant(_) => self.builder.havoc(width, HavocOrigin::Undefined),
            Operand::Register(_) | Operand::Address(..) => {
                let limit = constant(self.builder.width(index), count);
                let inside = self.builder.compare(Comparison::UnsignedLess, index, limit);
                self.builder
                    .or_arbitrary(inside, width, Operation::Copy(picked))
            }
        };
        Ok(vec![result])
    }

    fn insert_element(&mut self, value: Value) -> Read<Vec<Operand>> {
        let elements = self.first_operands(value)?;
        let inserted = self.operand(value.operand(1))?;
        let index = self.operand(value.operand(2))?;
        Ok(elements
            .into_iter()
            .zip(0u128..)
            .map(|(element, at)| self.pick(index, at, inserted, element))
            .collect())
    }

    /// `chosen` if the index is this position, else `otherwise`.
    fn pick(
        &mut self,
        index: Operand,
        position: u128,
        chosen: Operand,
        otherwise: Operand,
    ) -> Operand {
        match index {
            Operand::Constant(bits) => {
                if bits.value == position {
                    chosen
                } else {
                    otherwise
                }
            }
            Operand::Register(_) | Operand::Address(..) => {
                let here = constant(self.builder.width(index), position);
                let hit = self.builder.compare(Comparison::Equal, index, here);
                self.builder.select(hit, chosen, otherwise)
            }
        }
    }

    fn shuffle(&mut self, value: Value) -> Read<Vec<Operand>> {
        let mut elements = self.first_operands(value)?;
        elements.extend(self.operands_at(value, 1)?);
        let widths = self.widths(value.value_type_of())?;
        let mut result = Vec::new();
        for (position, width) in value.shuffle_mask().into_iter().zip(widths) {
            let element = position.and_then(|position| elements.get(position as usize).copied());
            result
                .push(element.unwrap_or_else(|| self.builder.havoc(width, HavocOrigin::Undefined)));
        }
        Ok(result)
    }
}
