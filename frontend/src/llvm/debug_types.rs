//! The types of C in debug information.
#![allow(unsafe_code)] // Calls of LLVM's C interface.
#![allow(clippy::wildcard_enum_match_arm)] // LLVM's list: what is not named is no type with parts.

use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;

use super::handle::Value;
use super::metadata::Metadata;
use super::module::Module;

/// A type of the C program.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct DebugType(LLVMMetadataRef);

/// What debug information says of a type; texts are printable.
pub(crate) struct DebugTypeNode {
    /// Empty if it has none.
    pub name: String,
    /// In bytes; 0 if it has none of its own.
    pub size: u32,
    /// What it is made of.
    pub shape: DebugTypeShape,
}

/// What a type is made of.
pub(crate) enum DebugTypeShape {
    /// A number, or what is not named below.
    Scalar { unsigned: bool },
    /// Names and values.
    Enumeration(Vec<(String, i128)>),
    /// What it points to, unless that is `void`.
    Pointer(Option<DebugType>),
    /// Another name, or a qualifier, of a type; none of `void`.
    Alias(Option<DebugType>),
    /// Names, offsets in bytes and types.
    Members(Vec<(String, u32, DebugType)>),
    /// The type of an element, and how many there are in each dimension; none where that is the size of the object.
    Array(DebugType, Vec<Option<u32>>),
}

/// Numbers of DWARF, which LLVM's C interface gives as they are.
mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const ENUMERATION: u16 = 0x04;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER: u16 = 0x0f;
    pub const STRUCTURE: u16 = 0x13;
    pub const UNION: u16 = 0x17;
    /// `typedef`, `const`, `volatile`, `restrict`, `_Atomic`.
    pub const ALIASES: [u16; 5] = [0x16, 0x26, 0x35, 0x37, 0x47];
}

/// Positions of the operands of nodes.
mod operand {
    pub const NAME: usize = 2;
    pub const TYPE: usize = 3;
    pub const ELEMENTS: usize = 4;
}

// SAFETY, for every call below: as in `handle`; the kind of every node is tested before it is read.

impl Value {
    /// For a call that describes a C variable: the type of the variable.
    pub(crate) fn described_type(self) -> Option<DebugType> {
        let variable = self.operand(1)?.node_operands();
        DebugType::of(variable.get(operand::TYPE).copied()??)
    }

    /// The type of a global variable.
    pub(crate) fn global_type(self, module: &Module) -> Option<DebugType> {
        // inkwell does not give the metadata of globals.
        let variable = unsafe {
            let mut count = 0;
            let entries = LLVMGlobalCopyAllMetadata(self.0, &mut count);
            let all = (0..u32::try_from(count).unwrap_or(0)).map(|index| {
                let node = LLVMValueMetadataEntriesGetMetadata(entries, index);
                (node, LLVMGetMetadataKind(node))
            });
            let mut expressions = all.filter(|(_, kind)| {
                matches!(
                    kind,
                    LLVMMetadataKind::LLVMDIGlobalVariableExpressionMetadataKind
                )
            });
            let first = expressions.next();
            let variable = first.map(|(node, _)| LLVMDIGlobalVariableExpressionGetVariable(node));
            LLVMDisposeValueMetadataEntries(entries);
            variable?
        };
        DebugType::of(Metadata(variable).operand(module, operand::TYPE)?)
    }
}

impl DebugType {
    fn of(value: Value) -> Option<Self> {
        let node = unsafe { LLVMValueAsMetadata(value.0) };
        let kind = unsafe { LLVMGetMetadataKind(node) };
        let is_type = matches!(
            kind,
            LLVMMetadataKind::LLVMDIBasicTypeMetadataKind
                | LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind
                | LLVMMetadataKind::LLVMDICompositeTypeMetadataKind
                | LLVMMetadataKind::LLVMDISubroutineTypeMetadataKind
        );
        is_type.then_some(Self(node))
    }

    /// What debug information says of it.
    pub(crate) fn node(self, module: &Module) -> DebugTypeNode {
        let node = Metadata(self.0);
        let name = node.operand(module, operand::NAME);
        let bits = unsafe { LLVMDITypeGetSizeInBits(self.0) };
        DebugTypeNode {
            name: name.and_then(Value::metadata_string).unwrap_or_default(),
            size: u32::try_from(bits / 8).unwrap_or(0),
            shape: self.shape(module),
        }
    }

    fn shape(self, module: &Module) -> DebugTypeShape {
        let base = || {
            let base = Metadata(self.0).operand(module, operand::TYPE);
            base.and_then(Self::of)
        };
        match (unsafe { LLVMGetDINodeTag(self.0) }, base()) {
            (tag::POINTER, to) => DebugTypeShape::Pointer(to),
            (tag, of) if tag::ALIASES.contains(&tag) => DebugTypeShape::Alias(of),
            (tag::STRUCTURE | tag::UNION, _) => DebugTypeShape::Members(self.members(module)),
            (tag::ENUMERATION, _) => DebugTypeShape::Enumeration(self.enumerators(module)),
            (tag::ARRAY, Some(element)) => DebugTypeShape::Array(element, self.counts(module)),
            (_, _) => {
                let printed = Metadata(self.0).value(module).print();
                let is_unsigned = |kind: &str| printed.contains(&format!("DW_ATE_{kind}"));
                DebugTypeShape::Scalar {
                    unsigned: is_unsigned("unsigned") || is_unsigned("boolean"),
                }
            }
        }
    }

    fn elements(self, module: &Module) -> Vec<Value> {
        let elements = Metadata(self.0).operand(module, operand::ELEMENTS);
        let elements = elements.map(Value::node_operands).unwrap_or_default();
        elements.into_iter().flatten().collect()
    }

    /// The members that are no bit-fields.
    fn members(self, module: &Module) -> Vec<(String, u32, Self)> {
        let member = |value: Value| {
            let Self(node) = Self::of(value)?;
            if unsafe { LLVMGetDINodeTag(node) } != tag::MEMBER {
                return None;
            }
            let (offset, size) = unsafe {
                (
                    LLVMDITypeGetOffsetInBits(node),
                    LLVMDITypeGetSizeInBits(node),
                )
            };
            let is_bit_field = offset % 8 != 0 || size % 8 != 0;
            let offset = u32::try_from(offset / 8).ok().filter(|_| !is_bit_field)?;
            let name = Metadata(node).operand(module, operand::NAME);
            let c_type = Self::of(Metadata(node).operand(module, operand::TYPE)?)?;
            let name = name.and_then(Value::metadata_string).unwrap_or_default();
            Some((name, offset, c_type))
        };
        self.elements(module)
            .into_iter()
            .filter_map(member)
            .collect()
    }

    fn enumerators(self, module: &Module) -> Vec<(String, i128)> {
        let enumerator = |value: Value| {
            let name = value.node_operands().first().copied()??.metadata_string()?;
            // LLVM's C interface does not give the number.
            let printed = value.print();
            let (_, number) = printed.rsplit_once(", value: ")?;
            let is_digit = |c: char| c == '-' || c.is_ascii_digit();
            let end = number.find(|c| !is_digit(c)).unwrap_or(number.len());
            Some((name, number[..end].parse().ok()?))
        };
        let all = self.elements(module).into_iter();
        all.filter_map(enumerator).collect()
    }

    fn counts(self, module: &Module) -> Vec<Option<u32>> {
        let count = |value: Value| {
            let count = value.node_operands().first().copied()??.integer()?;
            u32::try_from(count).ok().filter(|&count| count > 0)
        };
        self.elements(module).into_iter().map(count).collect()
    }
}
