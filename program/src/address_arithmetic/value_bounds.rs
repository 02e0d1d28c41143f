//! Upper bounds of the values of registers, as far as single operations determine them.

use cranelift_entity::SecondaryMap;

use crate::model::{
    BinaryOperator, Bits, Cast, Operand, Operation, RegisterId, Statement, Template,
};

/// The largest value of every register of a template.
#[derive(Debug)]
pub(crate) struct ValueBounds {
    /// The largest address.
    address: u128,
    largest: SecondaryMap<RegisterId, u128>,
}

/// Longer chains of definitions are not followed.
const ROUNDS: u32 = 8;

impl ValueBounds {
    pub(crate) fn new(template: &Template) -> Self {
        let mut of: SecondaryMap<RegisterId, Vec<&Statement>> =
            SecondaryMap::with_default(Vec::new());
        for edge in template.edges.values() {
            edge.statement
                .for_each_definition(|register| of[register].push(&edge.statement));
        }
        let mut bounds = Self {
            address: template.data_model.mask().into(),
            largest: SecondaryMap::new(),
        };
        for (register, known) in &template.registers {
            bounds.largest[register] = Bits::mask(known.width);
        }
        for _ in 0..ROUNDS {
            let mut next = SecondaryMap::new();
            for (register, known) in &template.registers {
                let most = Bits::mask(known.width);
                let defined = of[register].iter().map(|statement| {
                    let bound = bounds.defined(register, statement);
                    bound.map_or(most, |bound| bound.min(most))
                });
                next[register] = defined.max().unwrap_or(most);
            }
            if next == bounds.largest {
                break;
            }
            bounds.largest = next;
        }
        bounds
    }

    /// The largest value of an operand; of addresses, the largest number.
    pub(crate) fn of(&self, operand: Operand) -> u128 {
        match operand {
            Operand::Register(register) => self.largest[register],
            Operand::Constant(bits) => bits.value,
            Operand::Address(..) => self.address,
        }
    }

    /// The largest value that a statement gives a register; none if that is not determined.
    fn defined(&self, register: RegisterId, statement: &Statement) -> Option<u128> {
        if let Statement::Assign { operation, .. } = statement {
            self.result(operation)
        } else if let Statement::ParallelAssign(moves) = statement {
            let values = moves.iter().filter(|(written, _)| *written == register);
            values.map(|&(_, value)| self.of(value)).max()
        } else {
            None
        }
    }

    fn result(&self, operation: &Operation) -> Option<u128> {
        let bound = |operand| self.of(operand);
        match *operation {
            Operation::Copy(value) | Operation::Cast(Cast::ZeroExtend, value) => Some(bound(value)),
            Operation::Select(_, yes, no) => Some(bound(yes).max(bound(no))),
            Operation::Compare(..) => Some(1),
            Operation::Binary(BinaryOperator::And, left, right) => {
                Some(bound(left).min(bound(right)))
            }
            Operation::Binary(BinaryOperator::Or | BinaryOperator::Xor, left, right) => {
                let both = bound(left) | bound(right);
                Some(u128::MAX.checked_shr(both.leading_zeros()).unwrap_or(0))
            }
            Operation::Binary(BinaryOperator::UnsignedRemainder, _, Operand::Constant(divisor)) => {
                divisor.value.checked_sub(1)
            }
            Operation::Binary(
                BinaryOperator::LogicalShiftRight,
                left,
                Operand::Constant(shift),
            ) => {
                let shift = u32::try_from(shift.value).ok()?;
                Some(bound(left).checked_shr(shift).unwrap_or(0))
            }
            Operation::Binary(..)
            | Operation::Cast(Cast::SignExtend | Cast::Truncate | Cast::Object, _)
            | Operation::Offset { .. } => None,
        }
    }
}
