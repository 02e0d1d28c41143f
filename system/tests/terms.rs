//! Every constructor, simplified as it may be, has the value that a naive evaluator over lists of bits computes.

use rustc_hash::FxHashMap;
use system::eval::evaluate;
use system::term::{Sort, Term, Terms, Value};
use system::testing::{Operation as O, Random, random_operation};

/// A value as bits, lowest first; a truth value is one bit.
type Bits = Vec<bool>;

fn to_bits(value: Value) -> Bits {
    let width = match value.sort() {
        Sort::Bool => 1,
        Sort::BitVec(width) => width,
    };
    (0..width).map(|bit| value.bits() >> bit & 1 == 1).collect()
}

fn add(a: &[bool], b: &[bool], mut carry: bool) -> Bits {
    let mut sum = Bits::new();
    for (&x, &y) in a.iter().zip(b) {
        sum.push(x ^ y ^ carry);
        carry = x & y | x & carry | y & carry;
    }
    sum
}

fn complement(a: &[bool]) -> Bits {
    a.iter().map(|bit| !bit).collect()
}

fn zero(width: usize) -> Bits {
    vec![false; width]
}

fn negate(a: &[bool]) -> Bits {
    add(&complement(a), &zero(a.len()), true)
}

fn subtract(a: &[bool], b: &[bool]) -> Bits {
    add(a, &complement(b), true)
}

fn below(a: &[bool], b: &[bool]) -> bool {
    let differing = (0..a.len()).rev().find(|&bit| a[bit] != b[bit]);
    differing.is_some_and(|bit| b[bit])
}

fn signed_below(a: &[bool], b: &[bool]) -> bool {
    let flip = |x: &[bool]| {
        let mut x = x.to_vec();
        let top = x.len() - 1;
        x[top] = !x[top];
        x
    };
    below(&flip(a), &flip(b))
}

fn multiply(a: &[bool], b: &[bool]) -> Bits {
    let mut product = zero(a.len());
    for (shift, &bit) in b.iter().enumerate() {
        if bit {
            let mut shifted = zero(shift);
            shifted.extend(&a[..a.len() - shift]);
            product = add(&product, &shifted, false);
        }
    }
    product
}

/// Quotient and remainder by long division.
fn divide(a: &[bool], b: &[bool]) -> (Bits, Bits) {
    // One more bit, so that the remainder never overflows.
    let divisor: Bits = b.iter().copied().chain([false]).collect();
    let (mut quotient, mut remainder) = (zero(a.len()), zero(a.len() + 1));
    for bit in (0..a.len()).rev() {
        remainder.insert(0, a[bit]);
        remainder.pop();
        if !below(&remainder, &divisor) {
            remainder = subtract(&remainder, &divisor);
            quotient[bit] = true;
        }
    }
    remainder.truncate(a.len());
    (quotient, remainder)
}

/// SMT-LIB's definition by signs and unsigned division.
fn signed_divide(a: &[bool], b: &[bool]) -> (Bits, Bits) {
    let (minus_a, minus_b) = (a[a.len() - 1], b[b.len() - 1]);
    let magnitude = |x: &[bool], minus| if minus { negate(x) } else { x.to_vec() };
    let (quotient, remainder) = divide(&magnitude(a, minus_a), &magnitude(b, minus_b));
    (
        magnitude(&quotient, minus_a != minus_b),
        magnitude(&remainder, minus_a),
    )
}

fn shift(a: &[bool], by: &[bool], fill: bool, left: bool) -> Bits {
    let mut result = a.to_vec();
    let mut amount = by.to_vec();
    let mut one = zero(by.len());
    one[0] = true;
    let mut steps = 0;
    while amount.iter().any(|&bit| bit) && steps < a.len() {
        if left {
            result.insert(0, fill);
            result.pop();
        } else {
            result.remove(0);
            result.push(fill);
        }
        amount = subtract(&amount, &one);
        steps += 1;
    }
    result
}

fn bitwise(a: &[bool], b: &[bool], f: fn(bool, bool) -> bool) -> Bits {
    a.iter().zip(b).map(|(&x, &y)| f(x, y)).collect()
}

fn naive(operation: O, operands: &[&Bits]) -> Bits {
    let (a, b) = (operands[0], operands[operands.len() - 1]);
    let top = a[a.len() - 1];
    match operation {
        O::Not | O::BitNot => complement(a),
        O::And | O::BitAnd => bitwise(a, b, |x, y| x && y),
        O::Or | O::BitOr => bitwise(a, b, |x, y| x || y),
        O::Xor | O::BitXor => bitwise(a, b, |x, y| x != y),
        O::Implies => vec![!a[0] || b[0]],
        O::AndAll => vec![operands.iter().all(|x| x[0])],
        O::OrAll => vec![operands.iter().any(|x| x[0])],
        O::Equal => vec![a == b],
        O::Ite => if a[0] { operands[1] } else { b }.clone(),
        O::UnsignedLess => vec![below(a, b)],
        O::UnsignedLessEqual => vec![!below(b, a)],
        O::SignedLess => vec![signed_below(a, b)],
        O::SignedLessEqual => vec![!signed_below(b, a)],
        O::Negate => negate(a),
        O::Add => add(a, b, false),
        O::Subtract => subtract(a, b),
        O::Multiply => multiply(a, b),
        O::UnsignedDivide => divide(a, b).0,
        O::UnsignedRemainder => divide(a, b).1,
        O::SignedDivide => signed_divide(a, b).0,
        O::SignedRemainder => signed_divide(a, b).1,
        O::ShiftLeft => shift(a, b, false, true),
        O::LogicalShiftRight => shift(a, b, false, false),
        O::ArithmeticShiftRight => shift(a, b, top, false),
        O::Concat => [b.as_slice(), a].concat(),
        O::Extract { high, low } => a[low as usize..=high as usize].to_vec(),
        O::ZeroExtend(width) => extend(a, width, false),
        O::SignExtend(width) => extend(a, width, top),
        O::BoolToBit | O::BitToBool => a.clone(),
    }
}

fn extend(a: &[bool], width: u32, fill: bool) -> Bits {
    let mut result = a.to_vec();
    result.resize(width as usize, fill);
    result
}

const ASSIGNMENTS: usize = 6;

/// Terms with their naive values under each assignment.
struct Pool {
    terms: Terms,
    pool: Vec<Term>,
    expected: Vec<[Bits; ASSIGNMENTS]>,
    assignments: Vec<FxHashMap<Term, Value>>,
}

impl Pool {
    fn new(random: &mut Random, widths: &[u32]) -> Self {
        let (terms, pool, expected) = (Terms::new(), Vec::new(), Vec::new());
        let assignments = vec![FxHashMap::default(); ASSIGNMENTS];
        let mut new = Self {
            terms,
            pool,
            expected,
            assignments,
        };
        let sorts = widths
            .iter()
            .map(|&width| Sort::BitVec(width))
            .chain([Sort::Bool]);
        for sort in sorts {
            for _ in 0..3 {
                new.add_symbol(random, sort);
                new.add_constant(random, sort);
            }
        }
        new
    }

    fn add_symbol(&mut self, random: &mut Random, sort: Sort) {
        let symbol = self.terms.symbol("x", sort);
        self.pool.push(symbol);
        let mut expected: [Bits; ASSIGNMENTS] = Default::default();
        for (assignment, bits) in self.assignments.iter_mut().zip(&mut expected) {
            let value = random.value(sort);
            assignment.insert(symbol, value);
            *bits = to_bits(value);
        }
        self.expected.push(expected);
    }

    fn add_constant(&mut self, random: &mut Random, sort: Sort) {
        let value = random.value(sort);
        self.pool.push(self.terms.constant(value));
        self.expected.push(std::array::from_fn(|_| to_bits(value)));
    }

    fn grow(&mut self, random: &mut Random, max_width: u32) -> Option<()> {
        let (operation, operands) = random_operation(random, &self.terms, &self.pool, max_width)?;
        let built: Vec<Term> = operands.iter().map(|&index| self.pool[index]).collect();
        let term = operation.build(&mut self.terms, &built);
        let expected = std::array::from_fn(|index| {
            let values: Vec<&Bits> = operands.iter().map(|&o| &self.expected[o][index]).collect();
            naive(operation, &values)
        });
        for (assignment, expected) in self.assignments.iter().zip(&expected) {
            let value = evaluate(&self.terms, &[term], assignment)[0];
            assert!(value.is_well_formed() && value.sort() == self.terms.sort(term));
            let nodes: Vec<_> = built
                .iter()
                .map(|&operand| self.terms.node(operand))
                .collect();
            assert_eq!(&to_bits(value), expected, "{operation:?} on {nodes:?}");
        }
        self.pool.push(term);
        self.expected.push(expected);
        Some(())
    }
}

fn check(widths: &[u32], max_width: u32, seeds: u64) {
    for seed in 0..seeds {
        let mut random = Random::new(seed);
        let mut pool = Pool::new(&mut random, widths);
        for _ in 0..60 {
            pool.grow(&mut random, max_width);
        }
    }
}

#[test]
fn small_widths_are_simplified_soundly() {
    for width in 1..=8 {
        check(&[width], 12, 150);
    }
}

#[test]
fn mixed_small_widths_are_simplified_soundly() {
    check(&[1, 2, 3, 4], 10, 1500);
}

#[test]
fn large_widths_are_simplified_soundly() {
    for width in [32, 64, 128] {
        check(&[1, width], 128, 80);
    }
    check(&[1, 8, 32, 64], 128, 150);
}
