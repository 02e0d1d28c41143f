//! Address arithmetic: `base + constant + sum of index * scale`, or an address of nowhere if that goes too far.

use program::model::DataModel;
use system::term::{Node, Term, Terms};

/// The address that is the signed sum of `constant` and all products of index and scale behind `base`, modulo their number; one behind
/// `nowhere` if the distance is not below [`DataModel::far`]. Indices are sign-extended or truncated to 64 bits.
pub fn offset(
    terms: &mut Terms,
    data_model: DataModel,
    (base, nowhere): (Term, u64),
    constant: i64,
    summands: &[(Term, i64)],
) -> Term {
    let indices: Vec<(Term, i64)> = summands
        .iter()
        .map(|&(index, scale)| (core(terms, index), scale))
        .collect();
    let bound = bound(terms, constant, &indices);
    let width = bits_for_signed(bound);
    let distance = sum(terms, width.max(64), constant, &indices);
    let near = terms.extract(data_model.address_bits() - 1, 0, distance);
    let address = terms.add(base, near);
    if bound.is_some_and(|bound| bound < data_model.far().into()) {
        return address;
    }
    let far = is_far(terms, data_model.far(), distance);
    let low = data_model.far().trailing_zeros();
    let high = terms.bits(data_model.address_bits() - low, u128::from(nowhere >> low));
    let moved = terms.extract(low - 1, 0, address);
    let led = terms.concat(high, moved);
    terms.ite(far, led, address)
}

/// An index of at most 64 bits, without the sign extension around it.
fn core(terms: &mut Terms, index: Term) -> Term {
    match terms.node(index) {
        Node::SignExtend(64, of) => of,
        Node::Constant(_)
        | Node::Symbol(_)
        | Node::Unary(..)
        | Node::Binary(..)
        | Node::Ite(..)
        | Node::Extract { .. }
        | Node::ZeroExtend(..)
        | Node::SignExtend(..) => {
            let high = terms.width(index).min(64) - 1;
            terms.extract(high, 0, index)
        }
    }
}

/// A number that no distance and no partial sum exceeds in magnitude; `None` if that needs more than 127 bits.
fn bound(terms: &Terms, constant: i64, indices: &[(Term, i64)]) -> Option<u128> {
    indices.iter().try_fold(
        u128::from(constant.unsigned_abs()),
        |sum, &(index, scale)| {
            let largest = match (terms.node(index), terms.as_value(index)) {
                (_, Some(value)) => {
                    let unused = 128 - terms.width(index);
                    (((value.bits() << unused) as i128) >> unused).unsigned_abs()
                }
                (Node::ZeroExtend(_, of), None) => (1u128 << terms.width(of)) - 1,
                (_, None) => 1u128 << (terms.width(index) - 1),
            };
            let product = largest.checked_mul(u128::from(scale.unsigned_abs()))?;
            sum.checked_add(product).filter(|&sum| sum < 1 << 126)
        },
    )
}

fn bits_for_signed(bound: Option<u128>) -> u32 {
    bound.map_or(128, |bound| u128::BITS - bound.leading_zeros() + 1)
}

/// The sum in `width` bits; it saturates if it may not fit.
fn sum(terms: &mut Terms, width: u32, constant: i64, indices: &[(Term, i64)]) -> Term {
    let mut sum = terms.bits(width, i128::from(constant) as u128);
    for &(index, scale) in indices {
        let index = terms.sign_extend(width, index);
        let scale = terms.bits(width, i128::from(scale) as u128);
        let product = terms.multiply(index, scale);
        sum = if width == 128 {
            saturating(terms, sum, product)
        } else {
            terms.add(sum, product)
        };
    }
    sum
}

fn saturating(terms: &mut Terms, a: Term, b: Term) -> Term {
    let zero = terms.bits(128, 0);
    let sum = terms.add(a, b);
    let negative = [a, b, sum].map(|term| terms.signed_less(term, zero));
    let same = terms.equal(negative[0], negative[1]);
    let turned = terms.xor(negative[0], negative[2]);
    let overflow = terms.and(same, turned);
    let (minimum, maximum) = (terms.bits(128, 1 << 127), terms.bits(128, (1 << 127) - 1));
    let end = terms.ite(negative[0], minimum, maximum);
    terms.ite(overflow, end, sum)
}

fn is_far(terms: &mut Terms, far: u64, distance: Term) -> Term {
    let width = terms.width(distance);
    let limit = terms.bits(width, far.into());
    let opposite = terms.bits(width, (-i128::from(far)) as u128);
    let ahead = terms.signed_less_equal(limit, distance);
    let behind = terms.signed_less_equal(distance, opposite);
    terms.or(ahead, behind)
}
