//! Values as operands. A vector, struct or array value is held by one operand for each scalar in it.
#![allow(clippy::wildcard_enum_match_arm)] // LLVM's lists: what is not named is refused or has none of the property.

use inkwell::types::AnyTypeEnum;

use super::builder::constant;
use super::reader::{Read, Unreadable, unreadable};
use super::thread::ThreadReader;
use crate::llvm::{Type, TypeParts, Value, ValueKind};
use program::model::{HavocOrigin, Operand, Place};

/// A value of more scalars than this is not read.
const MOST_SCALARS: usize = 64;

impl ThreadReader<'_, '_> {
    /// Widths of the scalars in values of a type.
    pub fn widths(&self, value_type: Type) -> Read<Vec<u32>> {
        let mut widths = Vec::new();
        let mut pending = vec![value_type];
        while let Some(part) = pending.pop() {
            match part.parts() {
                TypeParts::Struct(fields) => pending.extend(fields.into_iter().rev()),
                TypeParts::Array(element, count) | TypeParts::Vector(element, count)
                    if count <= MOST_SCALARS as u64 =>
                {
                    pending.extend((0..count).map(|_| element));
                }
                TypeParts::Array(..) | TypeParts::Vector(..) | TypeParts::None => {
                    widths.push(self.scalar_width(part)?)
                }
            }
            if widths.len() + pending.len() > MOST_SCALARS {
                return unreadable(format!("a value of type `{}`", value_type.print()));
            }
        }
        Ok(widths)
    }

    /// The operands that hold a value.
    pub fn operands(&mut self, value: Value) -> Read<Vec<Operand>> {
        if let Some(known) = self.values.get(&value) {
            return Ok(known.clone());
        }
        if !value.is_constant() {
            if self.reader.survey {
                return Err(Unreadable::Consequence);
            }
            return unreadable("a value that is used before its definition");
        }
        self.constant(value)
    }

    fn constant(&mut self, value: Value) -> Read<Vec<Operand>> {
        let value_type = value.value_type_of();
        if value.is_undefined() {
            let widths = self.widths(value_type)?;
            return Ok(self.arbitrary(&widths, HavocOrigin::Undefined));
        }
        match value.kind() {
            ValueKind::LLVMConstantIntValueKind => {
                match (value.integer(), self.scalar_width(value_type)?) {
                    (Some(bits), width) => Ok(vec![constant(width, bits)]),
                    (None, _) => unreadable("an integer constant"),
                }
            }
            ValueKind::LLVMConstantFPValueKind => {
                match (value.float_bits(), self.scalar_width(value_type)?) {
                    (Some(bits), width) => Ok(vec![constant(width, bits)]),
                    (None, _) => unreadable("a floating-point constant"),
                }
            }
            ValueKind::LLVMConstantPointerNullValueKind
            | ValueKind::LLVMConstantAggregateZeroValueKind => {
                Ok(Self::repeated(&self.widths(value_type)?, 0))
            }
            ValueKind::LLVMFunctionValueKind | ValueKind::LLVMGlobalVariableValueKind
                if value.may_be_absent() =>
            {
                unreadable(format!("`{}`, which need not be defined", value.name()))
            }
            ValueKind::LLVMFunctionValueKind => Ok(vec![Operand::Address(
                Place::Function(self.reader.function(value)),
                0,
            )]),
            ValueKind::LLVMGlobalVariableValueKind
                if let Some(size) = self.reader.too_large(value) =>
            {
                unreadable(format!(
                    "`{}`, a variable of {size} bytes: at most {} are read",
                    value.name(),
                    self.reader.module.data_model().large()
                ))
            }
            ValueKind::LLVMGlobalVariableValueKind => Ok(vec![Operand::Address(
                Place::Global(self.reader.global(value)),
                0,
            )]),
            ValueKind::LLVMGlobalAliasValueKind => self.constant(value.aliasee()),
            ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMConstantVectorValueKind
            | ValueKind::LLVMConstantDataArrayValueKind
            | ValueKind::LLVMConstantDataVectorValueKind => self.constant_aggregate(value),
            ValueKind::LLVMConstantExprValueKind => match value.operation() {
                Some(opcode) => self.compute(value, opcode),
                None => unreadable("a constant expression"),
            },
            _ => unreadable(format!("a constant of type `{}`", value_type.print())),
        }
    }

    fn constant_aggregate(&mut self, value: Value) -> Read<Vec<Operand>> {
        let count = match value.value_type_of().parts() {
            TypeParts::Struct(fields) => fields.len() as u64,
            TypeParts::Array(_, count) | TypeParts::Vector(_, count) => count,
            TypeParts::None => 0,
        };
        self.widths(value.value_type_of())?;
        let mut operands = Vec::new();
        for index in 0..count {
            let Some(element) = u32::try_from(index)
                .ok()
                .and_then(|index| value.element(index))
            else {
                return unreadable("a constant aggregate");
            };
            operands.extend(self.operands(element)?);
        }
        Ok(operands)
    }

    /// Where the scalars of a part of an aggregate stand among those of the whole.
    pub fn scalar_range(&self, aggregate: Type, indices: &[u32]) -> Read<std::ops::Range<usize>> {
        let mut start = 0;
        let mut part = aggregate;
        for index in indices {
            let (before, next): (Vec<Type>, Type) = match part.parts() {
                TypeParts::Struct(fields) => match fields.get(*index as usize) {
                    Some(field) => (fields[..*index as usize].to_vec(), *field),
                    None => return unreadable("an index outside its struct"),
                },
                TypeParts::Array(element, _) | TypeParts::Vector(element, _) => {
                    (vec![element; *index as usize], element)
                }
                TypeParts::None => return unreadable("an index into a scalar"),
            };
            for skipped in before {
                start += self.widths(skipped)?.len();
            }
            part = next;
        }
        Ok(start..start + self.widths(part)?.len())
    }

    /// Width of a scalar type. Floating-point values are carried as their bits.
    pub fn scalar_width(&self, scalar: Type) -> Read<u32> {
        match scalar.known() {
            Some(AnyTypeEnum::IntType(integer)) => match integer.get_bit_width() {
                width @ 1..=128 => Ok(width),
                _ => unreadable(format!("integers of type `{}`", scalar.print())),
            },
            Some(AnyTypeEnum::PointerType(_)) if scalar.is_pointer() => {
                Ok(self.builder.address_bits())
            }
            Some(AnyTypeEnum::FloatType(real)) if real.get_bit_width() <= 64 => {
                Ok(real.get_bit_width())
            }
            _ => unreadable(format!("a value of type `{}`", scalar.print())),
        }
    }
}
