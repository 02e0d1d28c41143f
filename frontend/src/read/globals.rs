//! Global variables and their first content.
#![allow(clippy::wildcard_enum_match_arm)] // LLVM's lists: what is not named is refused or has none of the property.

use abi::text::printable;
use inkwell::values::InstructionOpcode;

use super::reader::Reader;
use crate::llvm::{TypeParts, Value, ValueKind, constant_displacement};
use program::model::{Global, GlobalId, Place};

/// A part of an initialiser that is not read.
struct Unknown;

impl Reader<'_> {
    /// The variable behind a global of the module; its content is read later.
    pub fn global(&mut self, value: Value) -> GlobalId {
        if let Some(id) = self.global_of.get(&value) {
            return *id;
        }
        let id = self.globals.push(Global {
            thread_local: value.is_thread_local(),
            c_type: value
                .global_type(self.module)
                .map(|c_type| self.types.read(self.module, c_type)),
            ..Global::outside(&value.name())
        });
        self.global_of.insert(value, id);
        self.pending_globals.push_back((value, id));
        id
    }

    /// Larger variables are not read, in bytes.
    fn largest(&self) -> u64 {
        self.module.data_model().large().into()
    }

    /// The size of a variable that has more bytes than are read.
    pub fn too_large(&self, value: Value) -> Option<u64> {
        let size = value.value_type().size(self.module);
        size.filter(|&size| !value.is_declaration() && size > self.largest())
    }

    /// Reads the first content. A variable without known content stays one that must not be accessed; `undef` is none.
    pub fn read_initializer(&mut self, value: Value, id: GlobalId) {
        let size = value
            .value_type()
            .size(self.module)
            .filter(|size| *size <= self.largest());
        let (Some(initializer), Some(size)) = (value.initializer(), size) else {
            return;
        };
        if initializer.is_undefined() || value.may_start_otherwise() {
            return;
        }
        let mut content = Content {
            bytes: vec![0; size as usize],
            relocations: Vec::new(),
        };
        let is_read = self.write(&mut content, 0, initializer).is_ok();
        let global = &mut self.globals[id];
        global.unread = !is_read;
        if is_read {
            global.bytes = content.bytes;
            global.relocations = content.relocations;
            global.writable = !value.is_constant_global();
            global.alignment = value.alignment();
            global.mergeable = value.is_constant_global() && value.is_unnamed();
        }
    }

    fn write(&mut self, content: &mut Content, offset: u64, value: Value) -> Result<(), Unknown> {
        if value.is_undefined() || value.is_zero() {
            return Ok(());
        }
        let number = value.integer().or_else(|| value.float_bits());
        if let Some(bits) = number.or_else(|| number_as_pointer(value)) {
            let size = value.value_type_of().size(self.module).ok_or(Unknown)?;
            return content.put(offset, &bits.to_le_bytes(), size);
        }
        match value.kind() {
            ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMConstantVectorValueKind
            | ValueKind::LLVMConstantDataArrayValueKind
            | ValueKind::LLVMConstantDataVectorValueKind => {
                self.write_elements(content, offset, value)
            }
            _ => {
                let (place, displacement) = self.constant_address(value)?;
                let offset = u32::try_from(offset).map_err(|_| Unknown)?;
                content.relocations.push((offset, place, displacement));
                Ok(())
            }
        }
    }

    fn write_elements(
        &mut self,
        content: &mut Content,
        offset: u64,
        value: Value,
    ) -> Result<(), Unknown> {
        let aggregate = value.value_type_of();
        match aggregate.parts() {
            TypeParts::Struct(fields) => {
                for index in 0..u32::try_from(fields.len()).map_err(|_| Unknown)? {
                    let field = offset + aggregate.field_offset(self.module, index);
                    self.write(content, field, value.element(index).ok_or(Unknown)?)?;
                }
            }
            TypeParts::Array(element, count) | TypeParts::Vector(element, count) => {
                let size = element.size(self.module).ok_or(Unknown)?;
                for index in 0..u32::try_from(count).map_err(|_| Unknown)? {
                    self.write(
                        content,
                        offset + u64::from(index) * size,
                        value.element(index).ok_or(Unknown)?,
                    )?;
                }
            }
            TypeParts::None => return Err(Unknown),
        }
        Ok(())
    }

    /// A pointer constant as a place and an offset.
    fn constant_address(&mut self, value: Value) -> Result<(Place, u32), Unknown> {
        let mut base = value;
        let mut offset = 0u64;
        loop {
            match base.operation() {
                Some(InstructionOpcode::GetElementPtr) => {
                    offset = offset
                        .wrapping_add(constant_displacement(self.module, base).ok_or(Unknown)?);
                    base = base.operand(0).ok_or(Unknown)?;
                }
                Some(InstructionOpcode::PtrToInt)
                    if base.value_type_of().int_width()
                        == Some(self.module.data_model().address_bits()) =>
                {
                    base = base.operand(0).ok_or(Unknown)?;
                }
                Some(InstructionOpcode::Add)
                    if base.value_type_of().int_width()
                        == Some(self.module.data_model().address_bits()) =>
                {
                    let (left, right) = (base.operand(0), base.operand(1));
                    let distance = right.and_then(Value::integer).ok_or(Unknown)?;
                    offset = offset.wrapping_add(distance as u64);
                    base = left.ok_or(Unknown)?;
                }
                Some(_) => return Err(Unknown),
                // It may be null, too.
                None if base.may_be_absent() => return Err(Unknown),
                None if base.is_global_variable() && self.too_large(base).is_some() => {
                    return Err(Unknown);
                }
                None if base.is_global_variable() => {
                    return Ok((
                        Place::Global(self.global(base)),
                        u32::try_from(offset).map_err(|_| Unknown)?,
                    ));
                }
                None if base.is_function() && offset == 0 => {
                    return Ok((Place::Function(self.function(base)), 0));
                }
                None if base.kind() == ValueKind::LLVMGlobalAliasValueKind => base = base.aliasee(),
                None => return Err(Unknown),
            }
        }
    }

    /// The bytes of a constant string up to its terminating zero, for messages.
    pub fn text(&self, pointer: Value) -> Option<String> {
        let mut bytes = pointer.global_string()?;
        if let Some(end) = bytes.iter().position(|byte| *byte == 0) {
            bytes.truncate(end);
        }
        Some(printable(&bytes))
    }
}

/// The number of a pointer that is made of a constant, such as a mark in a list.
fn number_as_pointer(value: Value) -> Option<u128> {
    let is_pointer = value.operation() == Some(InstructionOpcode::IntToPtr);
    value
        .operand(0)
        .filter(|_| is_pointer)
        .and_then(Value::integer)
}

/// First content under construction.
struct Content {
    bytes: Vec<u8>,
    relocations: Vec<(u32, Place, u32)>,
}

impl Content {
    /// Writes the low `size` bytes.
    fn put(&mut self, offset: u64, bytes: &[u8], size: u64) -> Result<(), Unknown> {
        let size = (size as usize).min(bytes.len());
        let start = usize::try_from(offset).map_err(|_| Unknown)?;
        let target = self.bytes.get_mut(start..start + size).ok_or(Unknown)?;
        target.copy_from_slice(&bytes[..size]);
        Ok(())
    }
}
