//! Random applications of the constructors of terms.

use crate::term::{Sort, Term, Terms, Value, all_ones};

/// A small pseudo-random number generator (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

/// A constructor of [`Terms`], with what it needs beside operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Operation {
    Not,
    And,
    Or,
    Xor,
    Implies,
    AndAll,
    OrAll,
    Equal,
    Ite,
    UnsignedLess,
    UnsignedLessEqual,
    SignedLess,
    SignedLessEqual,
    BitNot,
    Negate,
    BitAnd,
    BitOr,
    BitXor,
    Add,
    Subtract,
    Multiply,
    UnsignedDivide,
    UnsignedRemainder,
    SignedDivide,
    SignedRemainder,
    ShiftLeft,
    LogicalShiftRight,
    ArithmeticShiftRight,
    Concat,
    Extract { high: u32, low: u32 },
    ZeroExtend(u32),
    SignExtend(u32),
    BoolToBit,
    BitToBool,
}

use Operation as O;

const OPERATIONS: [Operation; 34] = [
    O::Not,
    O::And,
    O::Or,
    O::Xor,
    O::Implies,
    O::AndAll,
    O::OrAll,
    O::Equal,
    O::Ite,
    O::UnsignedLess,
    O::UnsignedLessEqual,
    O::SignedLess,
    O::SignedLessEqual,
    O::BitNot,
    O::Negate,
    O::BitAnd,
    O::BitOr,
    O::BitXor,
    O::Add,
    O::Subtract,
    O::Multiply,
    O::UnsignedDivide,
    O::UnsignedRemainder,
    O::SignedDivide,
    O::SignedRemainder,
    O::ShiftLeft,
    O::LogicalShiftRight,
    O::ArithmeticShiftRight,
    O::Concat,
    O::Extract { high: 0, low: 0 },
    O::ZeroExtend(0),
    O::SignExtend(0),
    O::BoolToBit,
    O::BitToBool,
];

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a positive bound.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound as u64) as usize
    }

    /// An element of a slice that is not empty.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A value of a sort; small, large and extreme ones are as frequent as all others.
    pub fn value(&mut self, sort: Sort) -> Value {
        let Sort::BitVec(width) = sort else {
            return Value::Bool(self.below(2) == 1);
        };
        let random = u128::from(self.number()) << 64 | u128::from(self.number());
        let bits = match self.below(8) {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => 1 << (width - 1),
            4 => all_ones(width) >> 1,
            5 => u128::from(self.number() % 8),
            _ => random,
        };
        Value::truncated(width, bits)
    }
}

/// An application of a constructor to operands that fit, drawn from terms at hand; recent ones are preferred.
/// `None` if the drawn constructor has no operands here. No result is wider than `max_width`.
pub fn random_operation(
    random: &mut Random,
    terms: &Terms,
    pool: &[Term],
    max_width: u32,
) -> Option<(Operation, Vec<usize>)> {
    let mut draw = |sort: Option<Sort>| {
        let skipped = if random.below(2) == 0 {
            pool.len().saturating_sub(6)
        } else {
            0
        };
        let fits = |&index: &usize| match sort {
            Some(sort) => terms.sort(pool[index]) == sort,
            None => terms.sort(pool[index]) != Sort::Bool,
        };
        let candidates: Vec<usize> = (skipped..pool.len()).filter(fits).collect();
        (!candidates.is_empty()).then(|| random.pick(&candidates))
    };
    let bool = Some(Sort::Bool);
    let first = draw(None)?;
    let width = terms.width(pool[first]);
    let same = draw(Some(Sort::BitVec(width)))?;
    let (p, q, r) = (draw(bool)?, draw(bool)?, draw(bool)?);
    let any = draw(None)?;
    let bit = draw(Some(Sort::BitVec(1)));
    let operation = random.pick(&OPERATIONS);
    let operands = match operation {
        O::Not | O::BoolToBit => vec![p],
        O::And | O::Or | O::Xor | O::Implies => vec![p, q],
        O::AndAll | O::OrAll => vec![p, q, r],
        O::Equal if random.below(4) == 0 => vec![p, q],
        O::Ite if random.below(4) == 0 => vec![p, q, r],
        O::Ite => vec![p, first, same],
        O::BitNot | O::Negate => vec![first],
        O::BitToBool => vec![bit?],
        O::Concat if width + terms.width(pool[any]) > max_width => return None,
        O::Concat => vec![first, any],
        O::Extract { .. } => {
            let low = random.below(width as usize) as u32;
            let high = low + random.below((width - low) as usize) as u32;
            return Some((O::Extract { high, low }, vec![first]));
        }
        O::ZeroExtend(_) | O::SignExtend(_) => {
            let wider = width + random.below((max_width - width) as usize + 1) as u32;
            let zero = operation == O::ZeroExtend(0);
            return Some((
                if zero {
                    O::ZeroExtend(wider)
                } else {
                    O::SignExtend(wider)
                },
                vec![first],
            ));
        }
        O::Equal
        | O::UnsignedLess
        | O::UnsignedLessEqual
        | O::SignedLess
        | O::SignedLessEqual
        | O::BitAnd
        | O::BitOr
        | O::BitXor
        | O::Add
        | O::Subtract
        | O::Multiply
        | O::UnsignedDivide
        | O::UnsignedRemainder
        | O::SignedDivide
        | O::SignedRemainder
        | O::ShiftLeft
        | O::LogicalShiftRight
        | O::ArithmeticShiftRight => vec![first, same],
    };
    Some((operation, operands))
}

impl Operation {
    /// Calls the constructor.
    pub fn build(self, terms: &mut Terms, operands: &[Term]) -> Term {
        let (a, b) = (operands[0], operands[operands.len() - 1]);
        match self {
            O::Not => terms.not(a),
            O::And => terms.and(a, b),
            O::Or => terms.or(a, b),
            O::Xor => terms.xor(a, b),
            O::Implies => terms.implies(a, b),
            O::AndAll => terms.and_all(operands.iter().copied()),
            O::OrAll => terms.or_all(operands.iter().copied()),
            O::Equal => terms.equal(a, b),
            O::Ite => terms.ite(a, operands[1], b),
            O::UnsignedLess => terms.unsigned_less(a, b),
            O::UnsignedLessEqual => terms.unsigned_less_equal(a, b),
            O::SignedLess => terms.signed_less(a, b),
            O::SignedLessEqual => terms.signed_less_equal(a, b),
            O::BitNot => terms.bit_not(a),
            O::Negate => terms.negate(a),
            O::BitAnd => terms.bit_and(a, b),
            O::BitOr => terms.bit_or(a, b),
            O::BitXor => terms.bit_xor(a, b),
            O::Add => terms.add(a, b),
            O::Subtract => terms.subtract(a, b),
            O::Multiply => terms.multiply(a, b),
            O::UnsignedDivide => terms.unsigned_divide(a, b),
            O::UnsignedRemainder => terms.unsigned_remainder(a, b),
            O::SignedDivide => terms.signed_divide(a, b),
            O::SignedRemainder => terms.signed_remainder(a, b),
            O::ShiftLeft => terms.shift_left(a, b),
            O::LogicalShiftRight => terms.logical_shift_right(a, b),
            O::ArithmeticShiftRight => terms.arithmetic_shift_right(a, b),
            O::Concat => terms.concat(a, b),
            O::Extract { high, low } => terms.extract(high, low, a),
            O::ZeroExtend(width) => terms.zero_extend(width, a),
            O::SignExtend(width) => terms.sign_extend(width, a),
            O::BoolToBit => terms.bool_to_bit(a),
            O::BitToBool => terms.bit_to_bool(a),
        }
    }
}

/// Grows a pool of terms by `count` random operations over the pool, which must hold a Boolean and a bit-vector.
pub fn grow(
    random: &mut Random,
    terms: &mut Terms,
    pool: &mut Vec<Term>,
    count: usize,
    max_width: u32,
) {
    let target = pool.len() + count;
    while pool.len() < target {
        if let Some((operation, operands)) = random_operation(random, terms, pool, max_width) {
            let operands: Vec<Term> = operands.into_iter().map(|index| pool[index]).collect();
            pool.push(operation.build(terms, &operands));
        }
    }
}
