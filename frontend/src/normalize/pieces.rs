//! Dividing objects into pieces that one access reads or writes: the scalars of a type, and words of powers of two, none of which is
//! larger than an address.

use program::model::DataModel;

use crate::llvm::{Module, Type, TypeParts};

/// A part of an object that is accessed at once: byte offset and size in bytes, at most 8.
pub(super) type Piece = (u64, u64);

/// The bytes from `start` to `end` as the largest powers of two that are no larger than an address.
pub(super) fn words(data_model: DataModel, start: u64, end: u64) -> impl Iterator<Item = Piece> {
    let mut position = start;
    let largest = data_model.address_bytes().into();
    std::iter::from_fn(move || {
        let size = [8, 4, 2, 1]
            .into_iter()
            .find(|&size| size <= largest && position + size <= end)?;
        position += size;
        Some((position - size, size))
    })
}

/// Calls `visit` with offset and type of the scalars of a type, in order, at most `most` of them.
/// Returns whether these are all.
pub(super) fn scalar_leaves(
    module: &Module,
    object: Type,
    offset: u64,
    most: usize,
    visit: &mut impl FnMut(u64, Type),
) -> bool {
    let mut pending = vec![(offset, object)];
    let mut seen = 0;
    while let Some((offset, part)) = pending.pop() {
        match part.parts() {
            TypeParts::Struct(fields) => {
                let fields: Vec<(Type, u32)> = fields.into_iter().zip(0..).collect();
                pending.extend(
                    fields
                        .into_iter()
                        .rev()
                        .map(|(field, index)| (offset + part.field_offset(module, index), field)),
                );
            }
            TypeParts::Array(element, count) | TypeParts::Vector(element, count) => {
                let Some(size) = element.size(module).filter(|_| count <= most as u64) else {
                    return false;
                };
                pending.extend(
                    (0..count)
                        .rev()
                        .map(|index| (offset + index * size, element)),
                );
            }
            TypeParts::None => {
                seen += 1;
                visit(offset, part);
            }
        }
        if seen > most || pending.len() > 2 * most {
            return false;
        }
    }
    true
}
