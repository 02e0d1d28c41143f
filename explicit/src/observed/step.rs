//! Operations with one operand that is not constant.

use super::intervals::Intervals;
use super::partition::{EXACT, Partition};
use program::model::{
    BinaryOperator, Bits, Cast, Comparison, Operand, Operation, RegisterId, Template,
};

/// What an operation makes of the number in a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The register.
    pub(super) operand: RegisterId,
    function: Function,
    /// The largest numbers of the register and of the result.
    operand_last: u128,
    result_last: u128,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Function {
    /// The number itself.
    Same,
    /// It gets the bits of its sign in addition.
    SignExtend,
    /// Plus a number.
    Add(u128),
    /// A number minus it.
    SubtractFrom(u128),
    /// Divided, without remainder.
    Divide(u128),
    /// Something that numbers of the same sign agree on if they have the same remainder.
    SignedRemainder(u128),
    /// The remainder.
    Remainder(u128),
    /// Whether it is one of these.
    IsOneOf(Intervals),
}

/// The results that several numbers have are told apart if there are no more.
const MOST_RESULTS: u128 = 256;

impl Step {
    /// An operation with the register where it writes its result.
    pub(super) fn of(
        template: &Template,
        result: RegisterId,
        operation: &Operation,
    ) -> Option<Self> {
        let last = |register: RegisterId| Bits::mask(template.registers[register].width);
        let (operand, function) = match *operation {
            Operation::Copy(Operand::Register(operand))
            | Operation::Cast(Cast::ZeroExtend, Operand::Register(operand)) => {
                (operand, Function::Same)
            }
            Operation::Cast(Cast::SignExtend, Operand::Register(operand)) => {
                (operand, Function::SignExtend)
            }
            Operation::Cast(Cast::Truncate, Operand::Register(operand)) => {
                (operand, Function::Remainder(last(result).checked_add(1)?))
            }
            Operation::Binary(operator, Operand::Register(operand), Operand::Constant(bits)) => {
                (operand, binary(operator, bits)?)
            }
            Operation::Binary(operator, Operand::Constant(bits), Operand::Register(operand)) => {
                (operand, binary_from(operator, bits)?)
            }
            Operation::Compare(comparison, Operand::Register(operand), Operand::Constant(bits)) => {
                (operand, Function::IsOneOf(below(comparison, bits)))
            }
            Operation::Compare(comparison, Operand::Constant(bits), Operand::Register(operand)) => {
                (operand, Function::IsOneOf(above(comparison, bits)))
            }
            Operation::Copy(_)
            | Operation::Cast(..)
            | Operation::Binary(..)
            | Operation::Compare(..)
            | Operation::Select(..)
            | Operation::Offset { .. } => return None,
        };
        Some(Self {
            operand,
            function,
            operand_last: last(operand),
            result_last: last(result),
        })
    }

    /// The numbers with a result in a set, and maybe more.
    pub(super) fn preimage(&self, results: &Intervals) -> Intervals {
        let parts = results.iter().flat_map(|part| self.parts(part));
        parts.collect()
    }

    /// The numbers with a result from one number to another, and maybe more: intervals in each of which results are as far apart as the
    /// numbers, or quotients or truth values of them.
    fn parts(&self, (first, end): (u128, u128)) -> Vec<(u128, u128)> {
        let last = self.operand_last;
        match &self.function {
            Function::Same => within((first, end), (0, last)).into_iter().collect(),
            Function::SignExtend => {
                let half = last / 2;
                let added = self.result_last - last;
                let below = within((first, end), (0, half));
                let above = within((first, end), (half + 1 + added, self.result_last));
                let above = above.map(|(first, end)| (first - added, end - added));
                below.into_iter().chain(above).collect()
            }
            &Function::Add(number) => {
                rotated(first.wrapping_sub(number), end.wrapping_sub(number), last)
            }
            &Function::SubtractFrom(number) => {
                rotated(number.wrapping_sub(end), number.wrapping_sub(first), last)
            }
            &Function::Divide(divisor) => {
                let Some(first) = first.checked_mul(divisor).filter(|&first| first <= last) else {
                    return Vec::new();
                };
                let end = end
                    .checked_mul(divisor)
                    .and_then(|end| end.checked_add(divisor - 1));
                vec![(first, end.map_or(last, |end| end.min(last)))]
            }
            Function::SignedRemainder(_) | Function::Remainder(_) => vec![(0, last)],
            Function::IsOneOf(numbers) => {
                let others = numbers.complement(last);
                let truth = [(0, &others), (1, numbers)];
                let possible = truth
                    .into_iter()
                    .filter(|&(truth, _)| (first..=end).contains(&truth));
                possible.flat_map(|(_, numbers)| numbers.iter()).collect()
            }
        }
    }

    /// The numbers whose results are in the same class.
    pub(super) fn pull_back(&self, classes: &Partition) -> Partition {
        if classes.is_coarsest() {
            return Partition::default();
        }
        let last = self.operand_last;
        match self.function {
            Function::Remainder(divisor) => Partition::periodic(divisor),
            Function::SignedRemainder(divisor) => {
                let half = last / 2;
                let signs = [((0, half), 1), ((half + 1, last), 1)];
                let mut classes = Partition::periodic(divisor);
                classes.refine(&Partition::of(signs, last));
                classes
            }
            Function::Same
            | Function::SignExtend
            | Function::Add(_)
            | Function::SubtractFrom(_)
            | Function::Divide(_)
            | Function::IsOneOf(_) => {
                let mut pieces = Vec::new();
                for (piece, period) in classes.pieces(self.result_last) {
                    self.pull_back_piece(piece, period, &mut pieces);
                }
                Partition::of(pieces, last)
            }
        }
    }

    fn pull_back_piece(
        &self,
        (first, last): (u128, u128),
        period: u128,
        pieces: &mut Vec<((u128, u128), u128)>,
    ) {
        let largest = if let Function::Divide(divisor) = self.function {
            self.operand_last / divisor
        } else {
            self.result_last
        };
        let last = last.min(largest);
        let Some(others) = last.checked_sub(first) else {
            return;
        };
        let is_many_to_one = matches!(self.function, Function::Divide(_) | Function::IsOneOf(_));
        let mut add = |results, period| {
            pieces.extend(self.parts(results).into_iter().map(|part| (part, period)));
        };
        if !is_many_to_one || period == 1 {
            add((first, last), period);
        } else if others < MOST_RESULTS {
            (first..=last).for_each(|result| add((result, result), 1));
        } else {
            add((first, last), EXACT);
        }
    }
}

fn binary(operator: BinaryOperator, constant: Bits) -> Option<Function> {
    let Bits { width, value } = constant;
    let last = Bits::mask(width);
    match operator {
        BinaryOperator::Add => Some(Function::Add(value)),
        BinaryOperator::Subtract => Some(Function::Add(value.wrapping_neg() & last)),
        BinaryOperator::Xor if value == last => Some(Function::SubtractFrom(last)),
        BinaryOperator::And => {
            // What is above the highest bit does not count.
            let bits = 128 - value.leading_zeros();
            Some(Function::Remainder(1u128.checked_shl(bits)?))
        }
        BinaryOperator::UnsignedDivide if value != 0 => Some(Function::Divide(value)),
        BinaryOperator::LogicalShiftRight if value < width.into() => {
            Some(Function::Divide(1 << value))
        }
        BinaryOperator::UnsignedRemainder if value != 0 => Some(Function::Remainder(value)),
        BinaryOperator::SignedRemainder if value != 0 => {
            Some(Function::SignedRemainder(constant.signed().unsigned_abs()))
        }
        BinaryOperator::Xor
        | BinaryOperator::Or
        | BinaryOperator::Multiply
        | BinaryOperator::UnsignedDivide
        | BinaryOperator::SignedDivide
        | BinaryOperator::UnsignedRemainder
        | BinaryOperator::SignedRemainder
        | BinaryOperator::ShiftLeft
        | BinaryOperator::LogicalShiftRight
        | BinaryOperator::ArithmeticShiftRight => None,
    }
}

/// The same with the constant on the left.
fn binary_from(operator: BinaryOperator, constant: Bits) -> Option<Function> {
    let is_symmetric = matches!(
        operator,
        BinaryOperator::Add | BinaryOperator::And | BinaryOperator::Xor
    );
    if operator == BinaryOperator::Subtract {
        Some(Function::SubtractFrom(constant.value))
    } else if is_symmetric {
        binary(operator, constant)
    } else {
        None
    }
}

/// The numbers `x` with `x comparison constant`.
fn below(comparison: Comparison, constant: Bits) -> Intervals {
    let Bits { width, value } = constant;
    let last = Bits::mask(width);
    match comparison {
        Comparison::Equal => Intervals::only(value),
        Comparison::NotEqual => Intervals::only(value).complement(last),
        Comparison::UnsignedLess => match value.checked_sub(1) {
            Some(most) => Intervals::up_to(most),
            None => Intervals::default(),
        },
        Comparison::UnsignedLessEqual => Intervals::up_to(value),
        Comparison::SignedLess => below(Comparison::SignedLessEqual, constant)
            .intersection(&Intervals::only(value).complement(last)),
        Comparison::SignedLessEqual => {
            let smallest = last / 2 + 1;
            match constant.signed() < 0 {
                true => Intervals::from_iter([(smallest, value)]),
                false => Intervals::from_iter([(0, value), (smallest, last)]),
            }
        }
    }
}

/// The numbers `x` with `constant comparison x`.
fn above(comparison: Comparison, constant: Bits) -> Intervals {
    let not_below = |comparison| below(comparison, constant).complement(Bits::mask(constant.width));
    match comparison {
        Comparison::Equal | Comparison::NotEqual => below(comparison, constant),
        Comparison::UnsignedLess => not_below(Comparison::UnsignedLessEqual),
        Comparison::UnsignedLessEqual => not_below(Comparison::UnsignedLess),
        Comparison::SignedLess => not_below(Comparison::SignedLessEqual),
        Comparison::SignedLessEqual => not_below(Comparison::SignedLess),
    }
}

/// What two intervals have in common.
fn within((first, end): (u128, u128), (start, last): (u128, u128)) -> Option<(u128, u128)> {
    let common = (first.max(start), end.min(last));
    (common.0 <= common.1).then_some(common)
}

/// The numbers from one to another, modulo `last` + 1.
fn rotated(first: u128, end: u128, last: u128) -> Vec<(u128, u128)> {
    let (first, end) = (first & last, end & last);
    match first <= end {
        true => vec![(first, end)],
        false => vec![(0, end), (first, last)],
    }
}
