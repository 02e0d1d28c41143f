//! The operators of SMT-LIB's core and bit-vector theories, applied to terms after their sorts were checked.

use crate::term::{Sort, Term, Terms, Value};

/// Why an application is none: the cause, and the remedy.
pub type Refusal = (String, &'static str);

type Fold = fn(&mut Terms, Term, Term) -> Term;

/// A literal (`true`, `#b01`, `#xff`), if the text is one.
pub fn literal(text: &str) -> Option<Value> {
    let number = |digits: &str, radix: u32, bits: u32| {
        let width = u32::try_from(digits.len()).ok()?.checked_mul(bits)?;
        let value = u128::from_str_radix(digits, radix).ok()?;
        (1..=128)
            .contains(&width)
            .then_some(Value::BitVec(width, value))
    };
    match text {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        _ => match (text.strip_prefix("#b"), text.strip_prefix("#x")) {
            (Some(digits), _) => number(digits, 2, 1),
            (None, Some(digits)) => number(digits, 16, 4),
            (None, None) => None,
        },
    }
}

/// `(_ bvN width)`.
pub fn indexed_literal(head: &str, indices: &[u32]) -> Option<Value> {
    let number: u128 = head.strip_prefix("bv")?.parse().ok()?;
    let &[width] = indices else { return None };
    let value = Value::BitVec(width, number);
    value.is_well_formed().then_some(value)
}

/// Applies an operator.
pub fn apply(
    terms: &mut Terms,
    head: &str,
    indices: &[u32],
    operands: &[Term],
) -> Result<Term, Refusal> {
    if operands.is_empty() {
        return Err((
            format!("{head} has no operands"),
            "declare or define the symbol before its use",
        ));
    }
    if !indices.is_empty() {
        return indexed(terms, head, indices, operands);
    }
    match head {
        "ite" => return ite(terms, operands),
        "=" | "distinct" => return chain(terms, head, operands),
        "concat" => return concat(terms, operands),
        _ => {}
    }
    if let Some((fold, on_bools)) = left_associative(head) {
        require(terms, head, operands, on_bools, 1)?;
        let rest = operands[1..].iter().copied();
        return Ok(rest.fold(operands[0], |left, right| fold(terms, left, right)));
    }
    if let Some(result) = unary(terms, head, operands) {
        return result;
    }
    match binary(head) {
        Some((build, on_bools)) => {
            require(terms, head, operands, on_bools, 2)?;
            let &[a, b] = operands else {
                return Err(number_of_operands(head, 2));
            };
            Ok(build(terms, a, b))
        }
        None => Err((
            format!("{head} is not defined"),
            "use Booleans and bit-vectors (SMT-LIB theories Core and FixedSizeBitVectors) and define symbols before their use",
        )),
    }
}

fn number_of_operands(head: &str, number: usize) -> Refusal {
    (
        format!("{head} does not have {number} operands"),
        "give it as many as its theory says",
    )
}

fn wrong_sort(head: &str) -> Refusal {
    (
        format!("an operand of {head} has the wrong sort"),
        "convert between Bool and bit-vectors with ite and =",
    )
}

/// At least `least` operands of one sort, all Boolean or all bit-vectors.
fn require(
    terms: &Terms,
    head: &str,
    operands: &[Term],
    bools: bool,
    least: usize,
) -> Result<(), Refusal> {
    if operands.len() < least {
        return Err(number_of_operands(head, least));
    }
    let sort = terms.sort(operands[0]);
    let fits = |&operand: &Term| terms.sort(operand) == sort;
    if (sort == Sort::Bool) == bools && operands.iter().all(fits) {
        Ok(())
    } else {
        Err(wrong_sort(head))
    }
}

fn left_associative(head: &str) -> Option<(Fold, bool)> {
    Some(match head {
        "and" => (Terms::and, true),
        "or" => (Terms::or, true),
        "xor" => (Terms::xor, true),
        "bvand" => (Terms::bit_and, false),
        "bvor" => (Terms::bit_or, false),
        "bvxor" => (Terms::bit_xor, false),
        "bvadd" => (Terms::add, false),
        "bvmul" => (Terms::multiply, false),
        _ => return None,
    })
}

fn binary(head: &str) -> Option<(Fold, bool)> {
    Some(match head {
        "=>" => (Terms::implies, true),
        "bvult" => (Terms::unsigned_less, false),
        "bvule" => (Terms::unsigned_less_equal, false),
        "bvugt" => (|terms, a, b| terms.unsigned_less(b, a), false),
        "bvuge" => (|terms, a, b| terms.unsigned_less_equal(b, a), false),
        "bvslt" => (Terms::signed_less, false),
        "bvsle" => (Terms::signed_less_equal, false),
        "bvsgt" => (|terms, a, b| terms.signed_less(b, a), false),
        "bvsge" => (|terms, a, b| terms.signed_less_equal(b, a), false),
        "bvsub" => (Terms::subtract, false),
        "bvudiv" => (Terms::unsigned_divide, false),
        "bvurem" => (Terms::unsigned_remainder, false),
        "bvsdiv" => (Terms::signed_divide, false),
        "bvsrem" => (Terms::signed_remainder, false),
        "bvsmod" => (Terms::signed_modulo, false),
        "bvshl" => (Terms::shift_left, false),
        "bvlshr" => (Terms::logical_shift_right, false),
        "bvashr" => (Terms::arithmetic_shift_right, false),
        "bvnand" => (|terms, a, b| complement(terms, Terms::bit_and, a, b), false),
        "bvnor" => (|terms, a, b| complement(terms, Terms::bit_or, a, b), false),
        "bvxnor" => (|terms, a, b| complement(terms, Terms::bit_xor, a, b), false),
        "bvcomp" => (
            |terms, a, b| {
                let equal = terms.equal(a, b);
                terms.bool_to_bit(equal)
            },
            false,
        ),
        _ => return None,
    })
}

fn complement(terms: &mut Terms, operator: Fold, a: Term, b: Term) -> Term {
    let result = operator(terms, a, b);
    terms.bit_not(result)
}

fn unary(terms: &mut Terms, head: &str, operands: &[Term]) -> Option<Result<Term, Refusal>> {
    let on_bools = head == "not";
    let build = match head {
        "not" => Terms::not,
        "bvnot" => Terms::bit_not,
        "bvneg" => Terms::negate,
        "bvsub" if operands.len() == 1 => Terms::negate,
        _ => return None,
    };
    let &[operand] = operands else {
        return Some(Err(number_of_operands(head, 1)));
    };
    Some(require(terms, head, operands, on_bools, 1).map(|()| build(terms, operand)))
}

fn ite(terms: &mut Terms, operands: &[Term]) -> Result<Term, Refusal> {
    let &[condition, a, b] = operands else {
        return Err(number_of_operands("ite", 3));
    };
    if terms.sort(condition) != Sort::Bool || terms.sort(a) != terms.sort(b) {
        return Err(wrong_sort("ite"));
    }
    Ok(terms.ite(condition, a, b))
}

/// `=` of neighbours, `distinct` of all pairs.
fn chain(terms: &mut Terms, head: &str, operands: &[Term]) -> Result<Term, Refusal> {
    let sort = terms.sort(operands[0]);
    if operands.iter().any(|&operand| terms.sort(operand) != sort) {
        return Err(wrong_sort(head));
    }
    let mut all = Vec::new();
    for (index, &right) in operands.iter().enumerate() {
        let first = if head == "=" {
            index.saturating_sub(1)
        } else {
            0
        };
        for &left in &operands[first..index] {
            let equal = terms.equal(left, right);
            all.push(if head == "=" { equal } else { terms.not(equal) });
        }
    }
    Ok(terms.and_all(all))
}

fn concat(terms: &mut Terms, operands: &[Term]) -> Result<Term, Refusal> {
    if operands
        .iter()
        .any(|&operand| terms.sort(operand) == Sort::Bool)
    {
        return Err(wrong_sort("concat"));
    }
    fits(operands.iter().map(|&operand| terms.width(operand)).sum())?;
    let rest = operands[1..].iter().copied();
    Ok(rest.fold(operands[0], |left, right| terms.concat(left, right)))
}

fn fits(width: u32) -> Result<u32, Refusal> {
    if (1..=128).contains(&width) {
        return Ok(width);
    }
    Err((
        format!("a bit-vector of {width} bits"),
        "bit-vectors have 1 to 128 bits",
    ))
}

/// `(_ extract 7 0)` and its like.
fn indexed(
    terms: &mut Terms,
    head: &str,
    indices: &[u32],
    operands: &[Term],
) -> Result<Term, Refusal> {
    let &[a] = operands else {
        return Err(number_of_operands(head, 1));
    };
    if terms.sort(a) == Sort::Bool {
        return Err(wrong_sort(head));
    }
    let width = terms.width(a);
    match (head, indices) {
        ("extract", &[high, low]) if low <= high && high < width => Ok(terms.extract(high, low, a)),
        ("zero_extend", &[more]) => Ok(terms.zero_extend(fits(width.saturating_add(more))?, a)),
        ("sign_extend", &[more]) => Ok(terms.sign_extend(fits(width.saturating_add(more))?, a)),
        ("repeat", &[times]) => {
            fits(width.saturating_mul(times))?;
            Ok((1..times).fold(a, |left, _| terms.concat(left, a)))
        }
        ("rotate_left", &[by]) => Ok(rotate_left(terms, a, by % width)),
        ("rotate_right", &[by]) => Ok(rotate_left(terms, a, (width - by % width) % width)),
        _ => Err((
            format!("(_ {head} ...) with these indices is not defined"),
            "use extract, zero_extend, sign_extend, repeat, rotate_left or rotate_right within the width",
        )),
    }
}

fn rotate_left(terms: &mut Terms, a: Term, by: u32) -> Term {
    if by == 0 {
        return a;
    }
    let width = terms.width(a);
    let (low, high) = (
        terms.extract(width - by - 1, 0, a),
        terms.extract(width - 1, width - by, a),
    );
    terms.concat(low, high)
}
