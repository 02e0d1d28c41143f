//! Upper bounds of the values of registers, as far as single operations determine them.

use cranelift_entity::SecondaryMap;

use crate::model::{
    BinaryOperator, Bits, Cast, Operand, Operation, RegisterId, Statement, Template,
};

/// The largest value of every register of a template.
#[derive(Debug)]
pub(crate) struct ValueBounds {
    largest: SecondaryMap<RegisterId, u128>,
}

/// Longer chains of definitions are not followed.
const DEPTH: u32 = 8;

struct Definitions<'a> {
    template: &'a Template,
    of: SecondaryMap<RegisterId, Vec<&'a Statement>>,
}

impl ValueBounds {
    pub(crate) fn new(template: &Template) -> Self {
        let mut of: SecondaryMap<RegisterId, Vec<&Statement>> =
            SecondaryMap::with_default(Vec::new());
        for edge in template.edges.values() {
            edge.statement
                .for_each_definition(|register| of[register].push(&edge.statement));
        }
        let definitions = Definitions { template, of };
        let mut largest = SecondaryMap::new();
        for register in template.registers.keys() {
            largest[register] = definitions.operand(Operand::Register(register), DEPTH);
        }
        Self { largest }
    }

    /// The largest value of an operand; of addresses, the largest number.
    pub(crate) fn of(&self, operand: Operand) -> u128 {
        match operand {
            Operand::Register(register) => self.largest[register],
            Operand::Constant(bits) => bits.value,
            Operand::Address(..) => Bits::mask(64),
        }
    }
}

impl Definitions<'_> {
    fn operand(&self, operand: Operand, depth: u32) -> u128 {
        let register = match operand {
            Operand::Register(register) => register,
            Operand::Constant(bits) => return bits.value,
            Operand::Address(..) => return Bits::mask(64),
        };
        let most = Bits::mask(self.template.registers[register].width);
        let definitions = &self.of[register];
        if depth == 0 || definitions.is_empty() {
            return most;
        }
        let bounds = definitions.iter().map(|statement| {
            if let Statement::Assign { operation, .. } = statement {
                self.operation(operation, depth - 1)
            } else if let Statement::ParallelAssign(moves) = statement {
                let values = moves.iter().filter(|(written, _)| *written == register);
                let values = values.map(|&(_, value)| self.operand(value, depth - 1));
                values.max()
            } else {
                None
            }
        });
        bounds
            .map(|bound| bound.unwrap_or(most).min(most))
            .max()
            .unwrap_or(most)
    }

    fn operation(&self, operation: &Operation, depth: u32) -> Option<u128> {
        let bound = |operand| self.operand(operand, depth);
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
