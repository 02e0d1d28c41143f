//! Accesses that a machine makes in several steps, between which other threads may run. An access to a struct, an array or a long
//! vector becomes one access for each scalar; one to an integer of odd size, or of twice the size of an address, becomes one
//! for each word of 1, 2, 4 or 8 bytes.

use inkwell::values::InstructionOpcode;

use super::metadata_kinds::VOLATILE_METADATA;
use super::pieces::{self, Piece};
use crate::llvm::{Builder, Module, Type, TypeParts, Value};

/// Vectors of at most so many bytes are accessed in one step.
const LARGEST_STEP: u64 = 16;

/// Values of more scalars than this are not read, so that their accesses stay as they are.
const MOST_SCALARS: u64 = 64;

/// Splits all accesses that take several steps.
pub(super) fn split_accesses(module: &Module) {
    for access in module.functions().into_iter().flat_map(Value::body) {
        let Some(pointer) = access.accessed_pointer() else {
            continue;
        };
        let outside = pointer.is_global_variable() && pointer.is_declaration();
        let volatile = access.has_metadata(module.metadata_kind(VOLATILE_METADATA));
        let parts = Splitter {
            module,
            builder: Builder::before(module, access).copy_position(access),
            pointer,
            volatile,
        };
        match (access.opcode(), access.operand(0)) {
            _ if access.is_atomic() => {}
            (Some(InstructionOpcode::Load), _) if !outside => {
                let value_type = access.value_type_of();
                if takes_steps(module, value_type) {
                    access.replace_all_uses(parts.load(value_type, 0));
                    access.erase();
                }
            }
            (Some(InstructionOpcode::Store), Some(value)) => {
                if takes_steps(module, value.value_type_of()) {
                    parts.store(value, 0);
                    access.erase();
                }
            }
            (Some(_) | None, _) => {}
        }
    }
}

/// Whether values of a type are read and written part by part.
fn takes_steps(module: &Module, value_type: Type) -> bool {
    let readable = scalars(value_type).is_some_and(|scalars| scalars <= MOST_SCALARS);
    readable
        && match value_type.parts() {
            TypeParts::Struct(_) | TypeParts::Array(..) => true,
            TypeParts::Vector(..) => value_type
                .size(module)
                .is_some_and(|size| size > LARGEST_STEP),
            TypeParts::None => words(module, value_type).len() > 1,
        }
}

/// The words that a machine accesses for an integer.
fn words(module: &Module, integer: Type) -> Vec<Piece> {
    let bytes = integer.int_width().map_or(0, |width| width.div_ceil(8));
    pieces::words(module.data_model(), 0, bytes.into()).collect()
}

/// Number of scalars in values of a type; `None` if there are vectors whose elements are no whole bytes, or very many.
fn scalars(value_type: Type) -> Option<u64> {
    match value_type.parts() {
        TypeParts::Struct(fields) => fields
            .into_iter()
            .try_fold(0u64, |sum, field| sum.checked_add(scalars(field)?)),
        TypeParts::Vector(element, _)
            if element.int_width().is_some_and(|width| width % 8 != 0) =>
        {
            None
        }
        TypeParts::Array(element, count) | TypeParts::Vector(element, count) => {
            scalars(element)?.checked_mul(count)
        }
        TypeParts::None => Some(1),
    }
}

/// Accesses the parts of what a pointer points to.
struct Splitter<'m> {
    module: &'m Module,
    builder: Builder,
    pointer: Value,
    volatile: bool,
}

impl Splitter<'_> {
    fn load(&self, value_type: Type, offset: u64) -> Value {
        if let TypeParts::None = value_type.parts() {
            return match &words(self.module, value_type)[..] {
                [] | [_] => self.mark(self.builder.load(value_type, self.address(offset))),
                words => self.load_words(value_type, offset, words),
            };
        }
        let mut whole = value_type.undefined();
        for (index, (displacement, part)) in (0..).zip(self.parts(value_type)) {
            let part = self.load(part, offset + displacement);
            whole = self.builder.with_part(self.module, whole, part, index);
        }
        whole
    }

    fn store(&self, value: Value, offset: u64) {
        let value_type = value.value_type_of();
        if let TypeParts::None = value_type.parts() {
            match &words(self.module, value_type)[..] {
                [] | [_] => {
                    self.mark(self.builder.store(value, self.address(offset)));
                }
                words => self.store_words(value, offset, words),
            }
            return;
        }
        for (index, (displacement, _)) in (0..).zip(self.parts(value_type)) {
            let part = self.builder.part(self.module, value, index);
            self.store(part, offset + displacement);
        }
    }

    fn load_words(&self, integer: Type, offset: u64, words: &[Piece]) -> Value {
        let mut whole = integer.null();
        for &(at, size) in words {
            let word = self.module.int_type(8 * size as u32);
            let word = self.mark(self.builder.load(word, self.address(offset + at)));
            let moved = self
                .builder
                .shift_left(self.builder.resize(word, integer), 8 * at);
            whole = self.builder.or(whole, moved);
        }
        whole
    }

    fn store_words(&self, integer: Value, offset: u64, words: &[Piece]) {
        for &(at, size) in words {
            let moved = self.builder.shift_right(integer, 8 * at);
            let word = self.module.int_type(8 * size as u32);
            let word = self.builder.resize(moved, word);
            self.mark(self.builder.store(word, self.address(offset + at)));
        }
    }

    fn address(&self, offset: u64) -> Value {
        self.builder.byte_offset(self.module, self.pointer, offset)
    }

    fn mark(&self, access: Value) -> Value {
        if self.volatile {
            let kind = self.module.metadata_kind(VOLATILE_METADATA);
            access.set_metadata_number(self.module, kind, 1);
        }
        access
    }

    /// Byte offsets and types of the immediate parts.
    fn parts(&self, value_type: Type) -> Vec<(u64, Type)> {
        match value_type.parts() {
            TypeParts::Struct(fields) => (0..)
                .zip(fields)
                .map(|(index, field)| (value_type.field_offset(self.module, index), field))
                .collect(),
            TypeParts::Array(element, count) => {
                let size = element.size(self.module).unwrap_or(0);
                (0..count).map(|index| (index * size, element)).collect()
            }
            TypeParts::Vector(element, count) => {
                // Elements of vectors lie side by side, without the padding that they have in arrays.
                let size = match element.int_width() {
                    Some(width) => u64::from(width / 8),
                    None => element.size(self.module).unwrap_or(0),
                };
                (0..count).map(|index| (index * size, element)).collect()
            }
            TypeParts::None => Vec::new(),
        }
    }
}
