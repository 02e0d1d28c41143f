//! Boolean constructors and those that connect Booleans with bit-vectors.

use super::{Binary, Node, Sort, Term, Terms, Unary, Value};

impl Terms {
    /// A truth value.
    pub fn bool(&mut self, value: bool) -> Term {
        self.constant(Value::Bool(value))
    }

    /// The truth value of a constant Boolean term.
    pub(super) fn as_bool(&self, term: Term) -> Option<bool> {
        self.as_value(term).map(Value::is_true)
    }

    /// Boolean negation.
    pub fn not(&mut self, a: Term) -> Term {
        debug_assert_eq!(self.sort(a), Sort::Bool);
        match self.as_bool(a) {
            Some(value) => self.bool(!value),
            None => match self.negated(a) {
                Some(inner) => inner,
                None => self.intern(Node::Unary(Unary::Not, a), Sort::Bool),
            },
        }
    }

    /// The term whose Boolean negation this is.
    pub(super) fn negated(&self, term: Term) -> Option<Term> {
        if let Node::Unary(Unary::Not, inner) = self.node(term) {
            Some(inner)
        } else {
            None
        }
    }

    /// Whether one term is syntactically the Boolean negation of the other.
    pub(super) fn are_opposite(&self, a: Term, b: Term) -> bool {
        self.negated(a) == Some(b) || self.negated(b) == Some(a)
    }

    /// Boolean conjunction.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.connective(Binary::And, a, b)
    }

    /// Boolean disjunction.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.connective(Binary::Or, a, b)
    }

    /// `a` implies `b`.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// Boolean exclusive or: the negation of equality.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let equal = self.equal(a, b);
        self.not(equal)
    }

    /// Conjunction of any number of Boolean terms; true if there are none.
    pub fn and_all(&mut self, operands: impl IntoIterator<Item = Term>) -> Term {
        self.connect_all(Binary::And, operands)
    }

    /// Disjunction of any number of Boolean terms; false if there are none.
    pub fn or_all(&mut self, operands: impl IntoIterator<Item = Term>) -> Term {
        self.connect_all(Binary::Or, operands)
    }

    /// A balanced tree over the sorted operands: equal sets give equal terms, and the depth is logarithmic.
    fn connect_all(&mut self, operator: Binary, operands: impl IntoIterator<Item = Term>) -> Term {
        let mut layer: Vec<Term> = operands.into_iter().collect();
        layer.sort_unstable();
        layer.dedup();
        while layer.len() > 1 {
            layer = layer
                .chunks(2)
                .map(|pair| {
                    pair.iter()
                        .copied()
                        .reduce(|a, b| self.connective(operator, a, b))
                        .expect("not empty")
                })
                .collect();
        }
        layer
            .first()
            .copied()
            .unwrap_or_else(|| self.bool(operator == Binary::And))
    }

    /// Conjunction or disjunction. The comments speak of conjunction; disjunction is its dual.
    fn connective(&mut self, operator: Binary, a: Term, b: Term) -> Term {
        debug_assert!(self.sort(a) == Sort::Bool && self.sort(b) == Sort::Bool);
        let neutral = operator == Binary::And;
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(value), _) => return if value == neutral { b } else { a },
            (_, Some(value)) => return if value == neutral { a } else { b },
            (None, None) => {}
        }
        if self.are_opposite(a, b) {
            return self.bool(!neutral);
        }
        for (a, b) in [(a, b), (b, a)] {
            let simpler = self.related(operator, a, b);
            if let Some(simpler) = simpler.or_else(|| self.absorb(operator, a, b)) {
                return simpler;
            }
        }
        self.intern(Node::Binary(operator, a.min(b), a.max(b)), Sort::Bool)
    }

    /// What `a and b` becomes because both compare one term with different constants, if they do.
    fn related(&mut self, operator: Binary, a: Term, b: Term) -> Option<Term> {
        let (x, y) = (self.negated(a), self.negated(b));
        match (operator == Binary::And, x, y) {
            // x = 1 and x = 2;  x = 1 and not x = 2
            (true, None, None) if self.are_exclusive(a, b) => Some(self.bool(false)),
            (true, None, Some(y)) if self.are_exclusive(a, y) => Some(a),
            // not x = 1 or not x = 2;  x = 1 or not x = 2
            (false, Some(x), Some(y)) if self.are_exclusive(x, y) => Some(self.bool(true)),
            (false, None, Some(y)) if self.are_exclusive(a, y) => Some(b),
            _ => None,
        }
    }

    /// Whether two conditions compare one term with different constants.
    fn are_exclusive(&self, a: Term, b: Term) -> bool {
        match (self.constant_test(a), self.constant_test(b)) {
            (Some((x, c)), Some((y, d))) => x == y && c != d,
            (None, _) | (_, None) => false,
        }
    }

    /// The term and the constant that a condition compares.
    fn constant_test(&self, condition: Term) -> Option<(Term, u128)> {
        self.with_constant(Binary::Equal, condition)
    }

    /// What a Boolean term is where the condition has a value.
    fn known_under(&self, condition: Term, value: bool, term: Term) -> Option<bool> {
        if term == condition {
            return Some(value);
        }
        if self.are_opposite(term, condition) {
            return Some(!value);
        }
        (value && self.are_exclusive(condition, term)).then_some(false)
    }

    /// What `a and b` becomes because of the operands of `b`, if anything.
    fn absorb(&mut self, operator: Binary, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(a);
        }
        let Node::Binary(inner @ (Binary::And | Binary::Or), c, d) = self.node(b) else {
            return None;
        };
        if c == a || d == a {
            // a and (a and d) = a and d;  a and (a or d) = a
            return Some(if inner == operator { b } else { a });
        }
        let other = match (self.are_opposite(a, c), self.are_opposite(a, d)) {
            (true, _) => d,
            (_, true) => c,
            (false, false) => return None,
        };
        // a and (not a and d) = false;  a and (not a or d) = a and d
        Some(if inner == operator {
            self.bool(operator != Binary::And)
        } else {
            self.connective(operator, a, other)
        })
    }

    /// If-then-else over a Boolean condition and branches of equal sort.
    pub fn ite(&mut self, condition: Term, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(condition), Sort::Bool);
        debug_assert_eq!(self.sort(a), self.sort(b));
        if let Some(value) = self.as_bool(condition) {
            return if value { a } else { b };
        }
        if let Some(inner) = self.negated(condition) {
            return self.ite(inner, b, a);
        }
        let (a, b) = (
            self.branch(condition, a, true),
            self.branch(condition, b, false),
        );
        if a == b {
            return a;
        }
        if self.sort(a) == Sort::Bool {
            return self.ite_bool(condition, a, b);
        }
        self.ite_bits(condition, a, b)
    }

    /// A branch of an if-then-else, which is only looked at where the condition has the given value.
    fn branch(&mut self, condition: Term, branch: Term, value: bool) -> Term {
        if self.sort(branch) == Sort::Bool
            && let Some(known) = self.known_under(condition, value, branch)
        {
            return self.bool(known);
        }
        if let Node::Ite(inner, a, b) = self.node(branch)
            && let Some(known) = self.known_under(condition, value, inner)
        {
            return if known { a } else { b };
        }
        branch
    }

    fn ite_bool(&mut self, condition: Term, a: Term, b: Term) -> Term {
        let not_condition = self.not(condition);
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) => self.or(condition, b),
            (Some(false), _) => self.and(not_condition, b),
            (_, Some(true)) => self.or(not_condition, a),
            (_, Some(false)) => self.and(condition, a),
            (None, None) if self.are_opposite(a, b) => self.equal(condition, a),
            (None, None) => self.intern(Node::Ite(condition, a, b), Sort::Bool),
        }
    }

    fn ite_bits(&mut self, condition: Term, a: Term, b: Term) -> Term {
        if let (Some(bit), Some(Value::BitVec(1, 1)), Some(_)) =
            (self.bit_of(condition), self.as_value(a), self.as_value(b))
        {
            // bool_to_bit undoes bit_to_bool
            return bit;
        }
        if let Node::Ite(inner, c, d) = self.node(a)
            && d == b
        {
            let both = self.and(condition, inner);
            return self.ite(both, c, b);
        }
        if let Node::Ite(inner, c, d) = self.node(b)
            && c == a
        {
            let either = self.or(condition, inner);
            return self.ite(either, a, d);
        }
        if let Some((x, y)) = self.operands_of(Binary::Equal, condition)
            && ((x, y) == (a, b) || (x, y) == (b, a))
        {
            return b;
        }
        let sort = self.sort(a);
        self.intern(Node::Ite(condition, a, b), sort)
    }

    /// The bit that a condition says is 1.
    fn bit_of(&self, condition: Term) -> Option<Term> {
        let (bit, constant) = self.constant_test(condition)?;
        (self.width(bit) == 1 && constant == 1).then_some(bit)
    }

    /// The bit-vector of width 1 that is 1 where the Boolean is true.
    pub fn bool_to_bit(&mut self, a: Term) -> Term {
        let (one, zero) = (self.bits(1, 1), self.bits(1, 0));
        self.ite(a, one, zero)
    }

    /// Whether a bit-vector of width 1 is 1.
    pub fn bit_to_bool(&mut self, a: Term) -> Term {
        let one = self.bits(1, 1);
        self.equal(a, one)
    }

    /// Equality of terms of equal sort.
    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if a == b {
            return self.bool(true);
        }
        match self.sort(a) {
            Sort::Bool => self.equal_bool(a, b),
            Sort::BitVec(_) => self.equal_bits(a, b),
        }
    }

    fn equal_bool(&mut self, a: Term, b: Term) -> Term {
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            (Some(false), _) => return self.not(b),
            (_, Some(false)) => return self.not(a),
            (None, None) => {}
        }
        if self.are_opposite(a, b) {
            return self.bool(false);
        }
        match (self.negated(a), self.negated(b)) {
            (Some(a), Some(b)) => self.equal(a, b),
            (Some(a), None) => self.xor(a, b),
            (None, Some(b)) => self.xor(a, b),
            (None, None) => {
                self.intern(Node::Binary(Binary::Equal, a.min(b), a.max(b)), Sort::Bool)
            }
        }
    }
}
