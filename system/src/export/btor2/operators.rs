//! The operators of BTOR2 on bit-vectors; a condition is a bit-vector of width 1.

use crate::term::{Term, Terms};

/// Cause and remedy of a refused application.
pub type Refusal = (String, &'static str);

type Build = fn(&mut Terms, Term, Term) -> Term;

/// Which widths an operator takes and gives.
enum Shape {
    /// Equal widths, and the result has that width.
    Same,
    /// Equal widths, and the result is a condition.
    Condition,
    /// Conditions.
    Bits,
}

/// Applies an operator to operands, and to the numbers that follow them on the line.
pub fn apply(
    terms: &mut Terms,
    name: &str,
    operands: &[Term],
    numbers: &[u32],
) -> Result<Term, Refusal> {
    match (name, operands, numbers) {
        ("slice", &[a], &[high, low]) if low <= high && high < terms.width(a) => {
            Ok(terms.extract(high, low, a))
        }
        ("uext", &[a], &[more]) => {
            Ok(terms.zero_extend(fits(terms.width(a).saturating_add(more))?, a))
        }
        ("sext", &[a], &[more]) => {
            Ok(terms.sign_extend(fits(terms.width(a).saturating_add(more))?, a))
        }
        ("concat", &[a, b], &[]) => {
            fits(terms.width(a) + terms.width(b))?;
            Ok(terms.concat(a, b))
        }
        ("ite", &[c, a, b], &[]) if terms.width(c) == 1 && terms.width(a) == terms.width(b) => {
            let condition = terms.bit_to_bool(c);
            Ok(terms.ite(condition, a, b))
        }
        (_, &[a], &[]) => unary(terms, name, a).ok_or_else(|| refused(name)),
        (_, &[a, b], &[]) => binary(terms, name, a, b),
        _ => Err(refused(name)),
    }
}

/// How many operands an operator has, and how many numbers follow them.
pub fn arity(name: &str) -> Option<(usize, usize)> {
    match name {
        "slice" => Some((1, 2)),
        "uext" | "sext" => Some((1, 1)),
        "ite" => Some((3, 0)),
        "concat" => Some((2, 0)),
        "not" | "inc" | "dec" | "neg" | "redand" | "redor" | "redxor" => Some((1, 0)),
        _ => operator(name).map(|_| (2, 0)),
    }
}

fn refused(name: &str) -> Refusal {
    (
        format!("{name} does not fit its operands"),
        "give operands of the widths the operator takes",
    )
}

fn fits(width: u32) -> Result<u32, Refusal> {
    if width <= 128 {
        Ok(width)
    } else {
        Err((
            format!("a bit-vector of {width} bits"),
            "bit-vectors have 1 to 128 bits",
        ))
    }
}

fn unary(terms: &mut Terms, name: &str, a: Term) -> Option<Term> {
    let width = terms.width(a);
    let (zero, one, ones) = (
        terms.bits(width, 0),
        terms.bits(width, 1),
        terms.bits(width, u128::MAX),
    );
    Some(match name {
        "not" => terms.bit_not(a),
        "neg" => terms.negate(a),
        "inc" => terms.add(a, one),
        "dec" => terms.subtract(a, one),
        "redand" => condition(terms, Terms::equal, a, ones),
        "redor" => {
            let none = condition(terms, Terms::equal, a, zero);
            terms.bit_not(none)
        }
        "redxor" => {
            let bits: Vec<Term> = (0..width).map(|bit| terms.extract(bit, bit, a)).collect();
            bits.into_iter().reduce(|x, y| terms.bit_xor(x, y))?
        }
        _ => return None,
    })
}

/// The bit that tells whether a predicate holds.
fn condition(terms: &mut Terms, predicate: Build, a: Term, b: Term) -> Term {
    let holds = predicate(terms, a, b);
    terms.bool_to_bit(holds)
}

fn binary(terms: &mut Terms, name: &str, a: Term, b: Term) -> Result<Term, Refusal> {
    let Some((build, shape)) = operator(name) else {
        return Err((
            format!("{name} is not supported"),
            "use the operators on bit-vectors; arrays are not supported",
        ));
    };
    let (x, y) = (terms.width(a), terms.width(b));
    match shape {
        Shape::Same if x == y => Ok(build(terms, a, b)),
        Shape::Condition if x == y => Ok(condition(terms, build, a, b)),
        Shape::Bits if x == 1 && y == 1 => {
            let (a, b) = (terms.bit_to_bool(a), terms.bit_to_bool(b));
            Ok(condition(terms, build, a, b))
        }
        Shape::Same | Shape::Condition | Shape::Bits => Err(refused(name)),
    }
}

fn operator(name: &str) -> Option<(Build, Shape)> {
    Some(match name {
        "iff" => (Terms::equal, Shape::Bits),
        "implies" => (Terms::implies, Shape::Bits),
        "eq" => (Terms::equal, Shape::Condition),
        "neq" => (
            |terms, a, b| inverted(terms, Terms::equal, a, b),
            Shape::Condition,
        ),
        "ult" => (Terms::unsigned_less, Shape::Condition),
        "ulte" => (Terms::unsigned_less_equal, Shape::Condition),
        "ugt" => (|terms, a, b| terms.unsigned_less(b, a), Shape::Condition),
        "ugte" => (
            |terms, a, b| terms.unsigned_less_equal(b, a),
            Shape::Condition,
        ),
        "slt" => (Terms::signed_less, Shape::Condition),
        "slte" => (Terms::signed_less_equal, Shape::Condition),
        "sgt" => (|terms, a, b| terms.signed_less(b, a), Shape::Condition),
        "sgte" => (
            |terms, a, b| terms.signed_less_equal(b, a),
            Shape::Condition,
        ),
        "and" => (Terms::bit_and, Shape::Same),
        "or" => (Terms::bit_or, Shape::Same),
        "xor" => (Terms::bit_xor, Shape::Same),
        "nand" => (
            |terms, a, b| complement(terms, Terms::bit_and, a, b),
            Shape::Same,
        ),
        "nor" => (
            |terms, a, b| complement(terms, Terms::bit_or, a, b),
            Shape::Same,
        ),
        "xnor" => (
            |terms, a, b| complement(terms, Terms::bit_xor, a, b),
            Shape::Same,
        ),
        "add" => (Terms::add, Shape::Same),
        "sub" => (Terms::subtract, Shape::Same),
        "mul" => (Terms::multiply, Shape::Same),
        "udiv" => (Terms::unsigned_divide, Shape::Same),
        "urem" => (Terms::unsigned_remainder, Shape::Same),
        "sdiv" => (Terms::signed_divide, Shape::Same),
        "srem" => (Terms::signed_remainder, Shape::Same),
        "smod" => (Terms::signed_modulo, Shape::Same),
        "sll" => (Terms::shift_left, Shape::Same),
        "srl" => (Terms::logical_shift_right, Shape::Same),
        "sra" => (Terms::arithmetic_shift_right, Shape::Same),
        _ => return None,
    })
}

fn inverted(terms: &mut Terms, predicate: Build, a: Term, b: Term) -> Term {
    let holds = predicate(terms, a, b);
    terms.not(holds)
}

fn complement(terms: &mut Terms, operator: Build, a: Term, b: Term) -> Term {
    let result = operator(terms, a, b);
    terms.bit_not(result)
}
