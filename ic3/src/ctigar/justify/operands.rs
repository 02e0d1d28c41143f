//! The bits of the operands that determine given bits of a term's value.

use system::term::{Binary, Node, Sort, Term, Terms, Unary, Value, all_ones};

/// What determines some bits of a value.
pub enum Needs {
    /// These bits of each of these terms.
    Each([(Term, u128); 2]),
    /// Either operand of a conjunction that is false or of a disjunction that is true.
    Either,
}

/// What determines `bits` of the value of a term, given the values of its operands; where there is a choice, with bits
/// that are `needed` anyway.
pub fn needs(
    terms: &Terms,
    term: Term,
    bits: u128,
    value: impl Fn(Term) -> Value,
    needed: impl Fn(Term) -> u128,
) -> Needs {
    let node = terms.node(term);
    if settling(node, value(term), &value).count() == 2 {
        return Needs::Either;
    }
    let one = |operand, bits| [(operand, bits), (operand, 0)];
    Needs::Each(match node {
        Node::Constant(_) | Node::Symbol(_) => one(term, 0),
        Node::Unary(Unary::Negate, a) => one(a, up_to(bits)),
        Node::Unary(Unary::Not | Unary::BitNot, a) => one(a, bits),
        Node::ZeroExtend(_, a) => one(a, bits & all_ones(terms.width(a))),
        Node::SignExtend(_, a) => {
            let all = all_ones(terms.width(a));
            let sign = if bits > all { all ^ all >> 1 } else { 0 };
            one(a, bits & all | sign)
        }
        Node::Extract { low, of, .. } => one(of, bits << low),
        Node::Ite(condition, a, b) => {
            [(condition, 1), (branch_taken(value(condition), a, b), bits)]
        }
        Node::Binary(operator, a, b) => {
            let words = Words {
                all: [a, b].map(|operand| all_ones(terms.width(operand))),
                values: [a, b].map(|operand| value(operand).bits()),
                needed: [a, b].map(&needed),
                boolean: terms.sort(a) == Sort::Bool,
            };
            let [of_a, of_b] = words.needs(operator, bits);
            [(a, of_a), (b, of_b)]
        }
    })
}

/// The operands of a conjunction or disjunction that alone give it its value; none of other terms.
pub fn settling(
    node: Node,
    value: Value,
    of: impl Fn(Term) -> Value,
) -> impl Iterator<Item = Term> {
    let settles = |operator| match value {
        Value::Bool(true) => operator == Binary::Or,
        Value::Bool(false) => operator == Binary::And,
        Value::BitVec(..) => false,
    };
    let operands = if let Node::Binary(operator, a, b) = node
        && settles(operator)
    {
        [Some(a), Some(b)]
    } else {
        [None, None]
    };
    let operands = operands.into_iter().flatten();
    operands.filter(move |&operand| of(operand) == value)
}

/// The branch of an if-then-else that counts.
pub fn branch_taken(condition: Value, a: Term, b: Term) -> Term {
    if condition.is_true() { a } else { b }
}

/// The operands of a binary operator.
struct Words {
    /// All of their bits.
    all: [u128; 2],
    values: [u128; 2],
    needed: [u128; 2],
    boolean: bool,
}

impl Words {
    /// The bits of both that determine bits of the result.
    fn needs(&self, operator: Binary, bits: u128) -> [u128; 2] {
        let [a, b] = self.values;
        match operator {
            // Where one bit settles the result, that of the other operand is not needed.
            Binary::And | Binary::BitAnd => self.unsettled(bits, [!a, !b]),
            Binary::Or | Binary::BitOr => self.unsettled(bits, [a, b]),
            Binary::BitXor => [bits; 2],
            Binary::Equal if !self.boolean && a != b => {
                let differing = a ^ b;
                let anyway = differing & (self.needed[0] | self.needed[1]);
                [lowest(if anyway == 0 { differing } else { anyway }); 2]
            }
            Binary::UnsignedLess | Binary::SignedLess if a != b => {
                self.all.map(|all| all & !(up_to(a ^ b) >> 1))
            }
            Binary::Concat => [bits >> self.all[1].count_ones(), bits & self.all[1]],
            Binary::Multiply if a == 0 => [self.all[0], 0],
            Binary::Multiply if b == 0 => [0, self.all[1]],
            Binary::Add | Binary::Subtract | Binary::Multiply => [up_to(bits); 2],
            Binary::ShiftLeft
            | Binary::LogicalShiftRight
            | Binary::ArithmeticShiftRight
            | Binary::UnsignedLess
            | Binary::SignedLess
            | Binary::Equal
            | Binary::UnsignedDivide
            | Binary::UnsignedRemainder
            | Binary::SignedDivide
            | Binary::SignedRemainder => self.all,
        }
    }

    /// Both operands' bits, each but where the other one's settles the result.
    fn unsettled(&self, bits: u128, [a, b]: [u128; 2]) -> [u128; 2] {
        let by_a = bits & a;
        let by_b = bits & b & !by_a;
        [bits & !by_b, bits & !by_a]
    }
}

/// All bits up to the highest one of some.
fn up_to(bits: u128) -> u128 {
    u128::MAX.checked_shr(bits.leading_zeros()).unwrap_or(0)
}

fn lowest(bits: u128) -> u128 {
    bits & bits.wrapping_neg()
}
