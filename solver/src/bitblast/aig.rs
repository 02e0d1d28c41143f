//! A graph of gates with structural hashing: the intermediate form between terms and clauses.
//!
//! Beside conjunctions it has the gates whose direct clauses propagate better than those of their and-inverter
//! decomposition: exclusive or, if-then-else and majority (the carry of an adder). Every constructor simplifies locally,
//! looking one level into its operands, and normalises signs so that equal functions meet in one gate more often.

use std::ops::Not;

use rustc_hash::FxHashMap;

/// A gate or its complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    /// The constant false; gate 0.
    pub const FALSE: Self = Self(0);
    /// The constant true.
    pub const TRUE: Self = Self(1);

    /// A constant.
    pub fn constant(value: bool) -> Self {
        Self(u32::from(value))
    }

    /// The literal of gate `gate`, complemented or not.
    pub fn new(gate: usize, complemented: bool) -> Self {
        Self((gate as u32) << 1 | u32::from(complemented))
    }

    /// Position of its gate in the graph.
    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the complement of its gate.
    pub fn is_complemented(self) -> bool {
        self.0 & 1 == 1
    }

    /// Whether it is false or true.
    pub fn is_constant(self) -> bool {
        self.0 <= 1
    }

    /// Complements the literal if `complement` holds.
    pub fn negate_if(self, complement: bool) -> Self {
        Self(self.0 ^ u32::from(complement))
    }
}

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// A node of the graph. Operands have smaller positions than the gates made of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// False; only at position 0.
    Constant,
    /// Free.
    Input,
    /// Conjunction; operands in ascending order.
    And(Literal, Literal),
    /// Exclusive or; operands uncomplemented and in ascending order.
    Xor(Literal, Literal),
    /// If-then-else; the condition and the first branch are uncomplemented.
    Ite(Literal, Literal, Literal),
    /// At least two of three; operands in ascending order, at most one of them complemented.
    Majority(Literal, Literal, Literal),
}

/// The graph.
#[derive(Clone, Debug)]
pub struct Aig {
    gates: Vec<Gate>,
    /// How many gates use this one, saturating at 2: a gate used once may be merged into its user.
    fanout: Vec<u8>,
    index: FxHashMap<Gate, u32>,
}

impl Default for Aig {
    fn default() -> Self {
        Self {
            gates: vec![Gate::Constant],
            fanout: vec![0],
            index: FxHashMap::default(),
        }
    }
}

impl Aig {
    /// Number of gates.
    pub fn size(&self) -> usize {
        self.gates.len()
    }

    /// A gate.
    pub fn gate(&self, position: usize) -> Gate {
        self.gates[position]
    }

    /// Whether at most one gate uses this one.
    pub fn is_used_once(&self, position: usize) -> bool {
        self.fanout[position] <= 1
    }

    /// A fresh input.
    pub fn input(&mut self) -> Literal {
        self.push(Gate::Input)
    }

    /// Conjunction.
    pub fn and(&mut self, a: Literal, b: Literal) -> Literal {
        let (a, b) = (a.min(b), a.max(b));
        if a == Literal::FALSE || a == !b {
            return Literal::FALSE;
        }
        if a == Literal::TRUE || a == b {
            return b;
        }
        match self
            .absorb(a, b)
            .or_else(|| self.absorb(b, a))
            .or_else(|| self.resolve(a, b))
        {
            Some(simpler) => simpler,
            None => self.intern(Gate::And(a, b)),
        }
    }

    /// Disjunction.
    pub fn or(&mut self, a: Literal, b: Literal) -> Literal {
        !self.and(!a, !b)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        let complemented = a.is_complemented() ^ b.is_complemented();
        let (a, b) = (
            a.negate_if(a.is_complemented()),
            b.negate_if(b.is_complemented()),
        );
        let (a, b) = (a.min(b), a.max(b));
        let result = if a == Literal::FALSE {
            b
        } else if a == b {
            Literal::FALSE
        } else {
            self.cancel(a, b)
                .or_else(|| self.cancel(b, a))
                .unwrap_or_else(|| self.intern(Gate::Xor(a, b)))
        };
        result.negate_if(complemented)
    }

    /// Equivalence.
    pub fn equal(&mut self, a: Literal, b: Literal) -> Literal {
        !self.xor(a, b)
    }

    /// If-then-else.
    pub fn ite(&mut self, condition: Literal, then: Literal, otherwise: Literal) -> Literal {
        if condition.is_complemented() {
            return self.ite(!condition, otherwise, then);
        }
        if condition == Literal::FALSE || then == otherwise {
            return otherwise;
        }
        if then == !otherwise {
            return self.equal(condition, then);
        }
        if then.is_constant() || then.gate() == condition.gate() {
            let holds = then == Literal::TRUE || then == condition;
            return if holds {
                self.or(condition, otherwise)
            } else {
                self.and(!condition, otherwise)
            };
        }
        if otherwise.is_constant() || otherwise.gate() == condition.gate() {
            let holds = otherwise == Literal::TRUE || otherwise == !condition;
            return if holds {
                self.or(!condition, then)
            } else {
                self.and(condition, then)
            };
        }
        let complemented = then.is_complemented();
        let (then, otherwise) = (
            then.negate_if(complemented),
            otherwise.negate_if(complemented),
        );
        self.ite_of_ite(condition, then, otherwise)
            .negate_if(complemented)
    }

    /// At least two of three.
    pub fn majority(&mut self, a: Literal, b: Literal, c: Literal) -> Literal {
        let mut operands = [a, b, c];
        operands.sort_unstable();
        let [a, b, c] = operands;
        if a == b || b == !c {
            return a;
        }
        if b == c || a == !b {
            return if b == c { b } else { c };
        }
        if a.is_constant() {
            return if a == Literal::TRUE {
                self.or(b, c)
            } else {
                self.and(b, c)
            };
        }
        let negative = operands
            .iter()
            .filter(|operand| operand.is_complemented())
            .count();
        // The function is self-dual, so the sign with fewer complements represents both.
        let flip = negative >= 2;
        let [a, b, c] = operands.map(|operand| operand.negate_if(flip));
        self.intern(Gate::Majority(a, b, c)).negate_if(flip)
    }

    /// Conjunction of all.
    pub fn and_all(&mut self, literals: impl IntoIterator<Item = Literal>) -> Literal {
        literals
            .into_iter()
            .fold(Literal::TRUE, |all, literal| self.and(all, literal))
    }

    /// `and(a, b)` where `a` is a conjunction or the complement of one and `b` decides it, wholly or in part.
    fn absorb(&mut self, a: Literal, b: Literal) -> Option<Literal> {
        let Gate::And(x, y) = self.gates[a.gate()] else {
            return None;
        };
        if a.is_complemented() {
            match (b == x, b == y, b == !x || b == !y) {
                (true, _, _) => Some(self.and(b, !y)),
                (_, true, _) => Some(self.and(b, !x)),
                (_, _, true) => Some(b),
                (false, false, false) => None,
            }
        } else if b == x || b == y {
            Some(a)
        } else if b == !x || b == !y {
            Some(Literal::FALSE)
        } else {
            None
        }
    }

    /// `and(a, b)` of two conjunctions that contradict each other, or of two clauses that resolve to a unit.
    fn resolve(&self, a: Literal, b: Literal) -> Option<Literal> {
        let (Gate::And(x, y), Gate::And(v, w)) = (self.gates[a.gate()], self.gates[b.gate()])
        else {
            return None;
        };
        match (a.is_complemented(), b.is_complemented()) {
            (false, false) => (x == !v || x == !w || y == !v || y == !w).then_some(Literal::FALSE),
            (true, true) if x == v && y == !w || x == w && y == !v => Some(!x),
            (true, true) if y == v && x == !w || y == w && x == !v => Some(!y),
            (true, true) | (true, false) | (false, true) => None,
        }
    }

    /// `xor(a, b)` where `b` is an exclusive or of `a` and something.
    fn cancel(&self, a: Literal, b: Literal) -> Option<Literal> {
        let Gate::Xor(x, y) = self.gates[b.gate()] else {
            return None;
        };
        if a == x {
            Some(y)
        } else if a == y {
            Some(x)
        } else {
            None
        }
    }

    /// An if-then-else whose branch is one over the same condition takes that one's branch.
    fn ite_of_ite(&mut self, condition: Literal, then: Literal, otherwise: Literal) -> Literal {
        if let Gate::Ite(inner, chosen, _) = self.gates[then.gate()]
            && inner == condition
        {
            return self.ite(condition, chosen, otherwise);
        }
        if let Gate::Ite(inner, _, chosen) = self.gates[otherwise.gate()]
            && inner == condition
        {
            return self.ite(
                condition,
                then,
                chosen.negate_if(otherwise.is_complemented()),
            );
        }
        self.intern(Gate::Ite(condition, then, otherwise))
    }

    fn intern(&mut self, gate: Gate) -> Literal {
        if let Some(&position) = self.index.get(&gate) {
            return Literal::new(position as usize, false);
        }
        self.index.insert(gate, self.gates.len() as u32);
        self.push(gate)
    }

    fn push(&mut self, gate: Gate) -> Literal {
        let position = self.gates.len();
        assert!(
            position < (u32::MAX / 2) as usize,
            "the graph has at most 2^31 gates"
        );
        for operand in gate.operands() {
            let fanout = &mut self.fanout[operand.gate()];
            *fanout = (*fanout + 1).min(2);
        }
        self.gates.push(gate);
        self.fanout.push(0);
        Literal::new(position, false)
    }
}

impl Gate {
    /// The operands in order.
    pub fn operands(&self) -> impl Iterator<Item = Literal> + use<> {
        let operands = match *self {
            Self::Constant | Self::Input => [None; 3],
            Self::And(a, b) | Self::Xor(a, b) => [Some(a), Some(b), None],
            Self::Ite(a, b, c) | Self::Majority(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        operands.into_iter().flatten()
    }

    /// The value of the gate under values of its operands; `None` for inputs, which have their own.
    pub fn evaluate(&self, value: impl Fn(Literal) -> bool) -> Option<bool> {
        match *self {
            Self::Constant => Some(false),
            Self::Input => None,
            Self::And(a, b) => Some(value(a) && value(b)),
            Self::Xor(a, b) => Some(value(a) != value(b)),
            Self::Ite(c, a, b) => Some(if value(c) { value(a) } else { value(b) }),
            Self::Majority(a, b, c) => {
                Some(u8::from(value(a)) + u8::from(value(b)) + u8::from(value(c)) >= 2)
            }
        }
    }
}
