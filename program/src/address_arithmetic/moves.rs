//! Repeated pointer arithmetic: pointers whose moves together may lead into another object.

use cranelift_entity::SecondaryMap;

use super::{AddressSet, ValueBounds};
use crate::model::{DataModel, Operand, Operation, RegisterId, Statement, Template};

/// After so many moves by less than [`DataModel::far`] it is still known from which object an address came.
const MOVES: u32 = 1;

/// Longer chains of moves are not followed.
const DEPTH: usize = 16;

/// The moves of a template's pointers.
pub(crate) struct Moves<'a> {
    data_model: DataModel,
    /// What defines a register that is defined once.
    definitions: SecondaryMap<RegisterId, Option<&'a Operation>>,
}

impl<'a> Moves<'a> {
    pub(crate) fn new(template: &'a Template) -> Self {
        let mut definitions = SecondaryMap::new();
        let mut count: SecondaryMap<RegisterId, u32> = SecondaryMap::new();
        for edge in template.edges.values() {
            let statement = &edge.statement;
            statement.for_each_definition(|register| count[register] += 1);
            if let Statement::Assign {
                register,
                operation,
            } = statement
            {
                definitions[*register] = Some(operation);
            }
        }
        for (register, &count) in count.iter() {
            if count > 1 {
                definitions[register] = None;
            }
        }
        Self {
            data_model: template.data_model,
            definitions,
        }
    }

    /// Whether this move, and those before it, may lead into another object.
    pub(crate) fn may_leave(
        &self,
        bounds: &ValueBounds,
        operation: &Operation,
        set: impl Fn(Operand) -> AddressSet,
    ) -> bool {
        let mut operation = operation;
        let mut moves = 0;
        for _ in 0..DEPTH {
            let Operation::Offset { base, .. } = operation else {
                return true;
            };
            moves += u32::from(!self.is_short(bounds, operation));
            if moves == 0 {
                return false;
            }
            if moves > MOVES {
                return true;
            }
            if !is_far(self.data_model, &set(*base)) {
                return false;
            }
            let definition = match *base {
                Operand::Register(register) => self.definitions[register],
                Operand::Constant(_) | Operand::Address(..) => None,
            };
            let Some(definition) = definition else {
                return true;
            };
            operation = definition;
        }
        true
    }

    fn is_short(&self, bounds: &ValueBounds, operation: &Operation) -> bool {
        let Operation::Offset {
            constant, indices, ..
        } = operation
        else {
            return false;
        };
        let size = |number: u64| u128::from((number as i64).unsigned_abs());
        let longest = indices
            .iter()
            .fold(size(*constant), |sum, &(index, scale)| {
                sum.saturating_add(bounds.of(index).saturating_mul(size(scale)))
            });
        longest < self.data_model.short().into()
    }
}

/// Whether an address may have been moved already, by an unknown distance.
pub(crate) fn is_far(data_model: DataModel, address: &AddressSet) -> bool {
    address.may_be_farther(data_model.large())
}
