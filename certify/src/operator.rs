//! The operators that a definition may be made of, and the sorts that they take.

use std::fmt;

use system::term::Sort;

/// What operands an operator takes, and what it makes of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signature {
    /// One Boolean to a Boolean.
    Negation,
    /// At least two Booleans to a Boolean.
    Connective,
    /// Two operands of one sort to a Boolean.
    Equality,
    /// A Boolean and two operands of one sort, to that sort.
    Choice,
    /// A bit-vector to one of its width.
    Unary,
    /// Two bit-vectors of one width to one of that width.
    Binary,
    /// Two bit-vectors of one width to a Boolean.
    Comparison,
    /// Two bit-vectors to one as wide as both.
    Concatenation,
}

use Signature as S;

const NAMED: [(&str, Signature); 25] = [
    ("not", S::Negation),
    ("and", S::Connective),
    ("or", S::Connective),
    ("=", S::Equality),
    ("ite", S::Choice),
    ("bvnot", S::Unary),
    ("bvneg", S::Unary),
    ("bvult", S::Comparison),
    ("bvule", S::Comparison),
    ("bvslt", S::Comparison),
    ("bvsle", S::Comparison),
    ("bvand", S::Binary),
    ("bvor", S::Binary),
    ("bvxor", S::Binary),
    ("bvadd", S::Binary),
    ("bvsub", S::Binary),
    ("bvmul", S::Binary),
    ("bvudiv", S::Binary),
    ("bvurem", S::Binary),
    ("bvsdiv", S::Binary),
    ("bvsrem", S::Binary),
    ("bvshl", S::Binary),
    ("bvlshr", S::Binary),
    ("bvashr", S::Binary),
    ("concat", S::Concatenation),
];

/// An operator of SMT-LIB's theories of Booleans and bit-vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// One without numbers.
    Named(&'static str, Signature),
    /// `(_ extract high low)`
    Extract {
        /// Highest bit taken.
        high: u32,
        /// Lowest bit taken.
        low: u32,
    },
    /// `(_ zero_extend bits)`
    ZeroExtend(u32),
    /// `(_ sign_extend bits)`
    SignExtend(u32),
}

impl Operator {
    /// The operator of a name, if that is one.
    pub fn named(name: &str) -> Option<Self> {
        let found = NAMED.iter().find(|(known, _)| *known == name);
        found.map(|&(name, signature)| Self::Named(name, signature))
    }

    /// The operator of a name with numbers, if these are one.
    pub fn indexed(name: &str, indices: &[u32]) -> Option<Self> {
        match (name, indices) {
            ("extract", &[high, low]) => Some(Self::Extract { high, low }),
            ("zero_extend", &[bits]) => Some(Self::ZeroExtend(bits)),
            ("sign_extend", &[bits]) => Some(Self::SignExtend(bits)),
            _ => None,
        }
    }

    /// The sort of an application to operands of some sorts, if these fit.
    pub fn result(self, operands: &[Sort]) -> Option<Sort> {
        use Sort::{BitVec, Bool};
        let sort = match (self, operands) {
            (Self::Named(_, signature), _) => return signature.result(operands),
            (Self::Extract { high, low }, &[BitVec(width)]) if low <= high && high < width => {
                BitVec(high - low + 1)
            }
            (Self::ZeroExtend(more) | Self::SignExtend(more), &[BitVec(width)]) => {
                BitVec(width.checked_add(more)?)
            }
            (
                Self::Extract { .. } | Self::ZeroExtend(_) | Self::SignExtend(_),
                [] | [Bool | BitVec(_)] | [_, _, ..],
            ) => return None,
        };
        is_supported(sort).then_some(sort)
    }
}

impl Signature {
    fn result(self, operands: &[Sort]) -> Option<Sort> {
        use Sort::{BitVec, Bool};
        let sort = match (self, operands) {
            (S::Negation, [Bool]) => Bool,
            (S::Connective, [_, _, ..]) if operands.iter().all(|&sort| sort == Bool) => Bool,
            (S::Equality, [a, b]) if a == b => Bool,
            (S::Choice, [Bool, a, b]) if a == b => *a,
            (S::Unary, [BitVec(width)]) => BitVec(*width),
            (S::Binary, [BitVec(a), BitVec(b)]) if a == b => BitVec(*a),
            (S::Comparison, [BitVec(a), BitVec(b)]) if a == b => Bool,
            (S::Concatenation, [BitVec(a), BitVec(b)]) => BitVec(a.checked_add(*b)?),
            _ => return None,
        };
        is_supported(sort).then_some(sort)
    }
}

/// Whether systems have values of a sort.
pub fn is_supported(sort: Sort) -> bool {
    match sort {
        Sort::Bool => true,
        Sort::BitVec(width) => (1..=128).contains(&width),
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name, _) => f.write_str(name),
            Self::Extract { high, low } => write!(f, "(_ extract {high} {low})"),
            Self::ZeroExtend(bits) => write!(f, "(_ zero_extend {bits})"),
            Self::SignExtend(bits) => write!(f, "(_ sign_extend {bits})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_signature_refuses_what_does_not_fit() {
        let [bool, one, two] = [Sort::Bool, Sort::BitVec(1), Sort::BitVec(2)];
        let fitting: [(&str, &[Sort], Sort); 9] = [
            ("not", &[bool], bool),
            ("and", &[bool, bool, bool], bool),
            ("=", &[two, two], bool),
            ("=", &[bool, bool], bool),
            ("ite", &[bool, two, two], two),
            ("bvneg", &[two], two),
            ("bvadd", &[two, two], two),
            ("bvult", &[two, two], bool),
            ("concat", &[one, two], Sort::BitVec(3)),
        ];
        let sorts = [bool, one, two];
        for (name, operands, result) in fitting {
            let operator = Operator::named(name).expect("an operator");
            assert_eq!(operator.result(operands), Some(result), "{name}");
            assert_eq!(operator.result(&[]), None, "{name}");
            let mut more = operands.to_vec();
            more.push(two);
            assert_eq!(operator.result(&more), None, "{name}");
            // Another sort of the first operand fits only where sorts are not bound to each other.
            for sort in sorts.into_iter().filter(|sort| *sort != operands[0]) {
                let mut other = operands.to_vec();
                other[0] = sort;
                let is_free = ["bvneg", "concat"].contains(&name) && sort != bool;
                assert_eq!(
                    operator.result(&other).is_some(),
                    is_free,
                    "{name} {sort:?}"
                );
            }
        }
    }

    #[test]
    fn widths_are_bounded() {
        let wide = Sort::BitVec(128);
        let operator =
            |name, indices: &[u32]| Operator::indexed(name, indices).expect("an operator");
        assert_eq!(
            operator("extract", &[127, 127]).result(&[wide]),
            Some(Sort::BitVec(1))
        );
        assert_eq!(operator("zero_extend", &[0]).result(&[wide]), Some(wide));
        for (name, indices) in [
            ("extract", &[128, 0][..]),
            ("extract", &[0, 1]),
            ("zero_extend", &[1]),
            ("sign_extend", &[u32::MAX]),
        ] {
            assert_eq!(
                operator(name, indices).result(&[wide]),
                None,
                "{name} {indices:?}"
            );
            assert_eq!(operator(name, indices).result(&[Sort::Bool]), None);
        }
        assert_eq!(
            Operator::named("concat").and_then(|concat| concat.result(&[wide, wide])),
            None
        );
        assert_eq!(Operator::indexed("repeat", &[2]), None);
        assert_eq!(Operator::named("distinct"), None);
    }
}
