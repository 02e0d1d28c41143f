//! Address arithmetic as bytes.

use super::handle::{Type, Value};
use super::module::Module;
use super::types::TypeParts;

/// The displacement of a `getelementptr`: a constant number of bytes plus computed indices, each with its scale in bytes.
pub(crate) struct Displacement {
    pub constant: u64,
    pub indices: Vec<(Value, u64)>,
}

/// The displacement of a `getelementptr` instruction or expression; `None` for vectors and types without fixed size.
pub(crate) fn displacement(module: &Module, address: Value) -> Option<Displacement> {
    let mut result = Displacement {
        constant: 0,
        indices: Vec::new(),
    };
    let mut current = address.source_element_type();
    for (position, index) in address.operands().into_iter().skip(1).enumerate() {
        let step = if position == 0 {
            Step::Element(current)
        } else {
            step(module, current, index)?
        };
        current = match step {
            Step::Field(field, offset) => {
                result.constant = result.constant.wrapping_add(offset);
                field
            }
            Step::Element(element) => {
                add_index(&mut result, index, element.size(module)?)?;
                element
            }
        };
    }
    Some(result)
}

/// The displacement if it is constant.
pub(crate) fn constant_displacement(module: &Module, address: Value) -> Option<u64> {
    displacement(module, address)
        .filter(|displacement| displacement.indices.is_empty())
        .map(|d| d.constant)
}

/// What an index selects within a type.
enum Step {
    Field(Type, u64),
    Element(Type),
}

fn step(module: &Module, within: Type, index: Value) -> Option<Step> {
    match within.parts() {
        TypeParts::Struct(fields) => {
            let number = u32::try_from(index.integer()?).ok()?;
            let field = *fields.get(number as usize)?;
            Some(Step::Field(field, within.field_offset(module, number)))
        }
        TypeParts::Array(element, _) | TypeParts::Vector(element, _) => {
            Some(Step::Element(element))
        }
        TypeParts::None => None,
    }
}

fn add_index(result: &mut Displacement, index: Value, scale: u64) -> Option<()> {
    let width = index.value_type_of().int_width()?;
    match index.integer() {
        Some(bits) => {
            let unused = 128 - width.min(128);
            let signed = ((bits << unused) as i128) >> unused;
            result.constant = result
                .constant
                .wrapping_add((signed as u64).wrapping_mul(scale));
        }
        None => result.indices.push((index, scale)),
    }
    Some(())
}
