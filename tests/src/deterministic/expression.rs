//! Expressions without side effects whose possible values are known, so that none of them is undefined.
//!
//! What could overflow is done in unsigned types; divisors that could be 0 and shift amounts that could be too large are
//! restricted.

use std::ops::RangeInclusive;

use super::integer::Integer;

/// A C expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// Its text, in parentheses where it needs them.
    pub text: String,
    /// Its type.
    pub kind: Integer,
    /// The least value that it may have.
    pub low: i128,
    /// The greatest value that it may have.
    pub high: i128,
}

/// Binary operators on integers except shifts and comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    Xor,
}

impl Operator {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::Divide,
        Self::Remainder,
        Self::And,
        Self::Or,
        Self::Xor,
    ];

    /// How C writes it.
    pub fn text(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
        }
    }
}

impl Expression {
    /// An expression that may have all values of its type.
    pub fn new(text: impl Into<String>, kind: Integer) -> Self {
        Self::within(text, kind, (kind.low(), kind.high()))
    }

    /// An expression whose values lie between these.
    pub fn within(text: impl Into<String>, kind: Integer, (low, high): (i128, i128)) -> Self {
        let text = text.into();
        Self {
            text,
            kind,
            low,
            high,
        }
    }

    /// A constant of a type that has it.
    pub fn constant(value: i128, kind: Integer) -> Self {
        Self::within(kind.literal(value), kind, (value, value))
    }

    /// What is 0 or 1: a comparison, for instance.
    pub fn truth(text: String) -> Self {
        Self::within(text, Integer::INT, (0, 1))
    }

    fn range(&self) -> RangeInclusive<i128> {
        self.low..=self.high
    }

    /// The values after a conversion.
    pub fn converted(&self, kind: Integer) -> (i128, i128) {
        let range = (self.low, self.high);
        if kind.contains(range) {
            range
        } else {
            (kind.low(), kind.high())
        }
    }

    /// The expression with an explicit conversion.
    pub fn cast(&self, kind: Integer) -> Self {
        let text = format!("(({}){})", kind.name(), self.text);
        Self::within(text, kind, self.converted(kind))
    }

    /// `self operator other`, in an unsigned type if it might overflow.
    pub fn binary(&self, operator: Operator, other: &Self) -> Self {
        let kind = self.kind.common(other.kind);
        let other = &self.operand(operator, other);
        let plain = || format!("({} {} {})", self.text, operator.text(), other.text);
        match self.exact(operator, other) {
            Some(range) if kind.contains(range) => Self::within(plain(), kind, range),
            _ if kind.signed => self
                .cast(kind.unsigned())
                .binary(operator, &other.cast(kind.unsigned()))
                .cast(kind),
            _ => Self::new(plain(), kind),
        }
    }

    /// The second operand so that `self operator= other` is defined.
    pub fn assignment_operand(&self, operator: Operator, other: &Self) -> Self {
        let kind = self.kind.common(other.kind);
        let other = self.operand(operator, other);
        match self.exact(operator, &other) {
            Some(range) if kind.contains(range) => other,
            _ => other.cast(kind.unsigned()),
        }
    }

    /// The second operand: a divisor is neither 0 nor, where it matters, -1.
    fn operand(&self, operator: Operator, other: &Self) -> Self {
        if !matches!(operator, Operator::Divide | Operator::Remainder) {
            return other.clone();
        }
        let kind = self.kind.common(other.kind);
        let other = other.cast(kind);
        let overflows = kind.signed && self.low == kind.low() && other.range().contains(&-1);
        if overflows {
            let text = format!("(({} & 28) - 14)", other.text);
            Self::within(text, kind, (-14, 14))
        } else if other.range().contains(&0) {
            let text = format!("({} | 1)", other.text);
            Self::within(text, kind, (other.low, other.high | 1))
        } else {
            other
        }
    }

    /// The values of an operation before they wrap; nothing if they are far too large.
    fn exact(&self, operator: Operator, other: &Self) -> Option<(i128, i128)> {
        let kind = self.kind.common(other.kind);
        let (a, b) = (self.converted(kind), other.converted(kind));
        let largest = |(low, high): (i128, i128)| low.abs().max(high.abs());
        match operator {
            Operator::Add => Some((a.0 + b.0, a.1 + b.1)),
            Operator::Subtract => Some((a.0 - b.1, a.1 - b.0)),
            Operator::Multiply => product(a, b),
            Operator::Divide if a.0 >= 0 && b.0 >= 0 => Some((0, a.1)),
            // The least value is divided by -1 nowhere, so no quotient is larger than the type has.
            Operator::Divide => Some(((-largest(a)).max(kind.low()), largest(a).min(kind.high()))),
            Operator::Remainder => {
                let most = largest(b) - 1;
                Some((a.0.clamp(-most, 0), a.1.clamp(0, most)))
            }
            Operator::And if a.0 >= 0 && b.0 >= 0 => Some((0, a.1.min(b.1))),
            Operator::And if a.0 >= 0 => Some((0, a.1)),
            Operator::And if b.0 >= 0 => Some((0, b.1)),
            Operator::Or | Operator::Xor if a.0 >= 0 && b.0 >= 0 => Some((0, ones(a.1.max(b.1)))),
            Operator::And | Operator::Or | Operator::Xor => Some((kind.low(), kind.high())),
        }
    }

    /// `self << amount` or `self >> amount`; the amount is reduced to what is defined.
    pub fn shift(&self, left: bool, amount: &Self) -> Self {
        let kind = self.kind.promoted();
        let amount = format!("({} & {})", amount.text, kind.bits - 1);
        if !left {
            let range = (self.low.min(0), self.high.max(-1));
            return Self::within(format!("({} >> {amount})", self.text), kind, range);
        }
        let value = self.cast(kind.unsigned());
        let shifted = Self::new(format!("({} << {amount})", value.text), kind.unsigned());
        if kind.signed {
            shifted.cast(kind)
        } else {
            shifted
        }
    }

    /// `-self`, `~self` or `!self`.
    pub fn unary(&self, operator: char) -> Self {
        let kind = self.kind.promoted();
        let (low, high) = self.converted(kind);
        let text = format!("({operator}{})", self.text);
        match operator {
            '!' => Self::truth(text),
            '~' if kind.signed => Self::within(text, kind, (!high, !low)),
            '-' if kind.signed && low > kind.low() => Self::within(text, kind, (-high, -low)),
            '-' if kind.signed => self.cast(kind.unsigned()).unary('-').cast(kind),
            _ => Self::new(text, kind),
        }
    }

    /// `condition ? self : other`.
    pub fn chosen(&self, condition: &Self, other: &Self) -> Self {
        let kind = self.kind.common(other.kind);
        let (a, b) = (self.converted(kind), other.converted(kind));
        let text = format!("({} ? {} : {})", condition.text, self.text, other.text);
        Self::within(text, kind, (a.0.min(b.0), a.1.max(b.1)))
    }
}

/// The least number of the form 2^n - 1 that is not below `value`, which is not negative.
fn ones(value: i128) -> i128 {
    (1 << (128 - value.leading_zeros())) - 1
}

/// The values of a product, unless they are far too large.
fn product(a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
    let corners = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
    let products: Option<Vec<i128>> = corners.map(|(x, y)| x.checked_mul(y)).into_iter().collect();
    let products = products?;
    Some((*products.iter().min()?, *products.iter().max()?))
}
