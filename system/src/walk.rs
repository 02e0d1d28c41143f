//! Random walks from a state: they find states of a transition system in microseconds, where a query takes milliseconds.

use rustc_hash::FxHashMap;

use crate::eval::Repeated;
use crate::term::{Sort, Term, Terms, Value};

/// Choices of inputs that a walk tries at most; most may fit no step.
const TRIES: usize = 400;

/// After so many choices in a row that fit no step there is probably none.
const IN_VAIN: usize = 60;

/// Steps under inputs that are drawn from a fixed sequence.
#[derive(Debug)]
pub struct Walk {
    state: Vec<Term>,
    inputs: Vec<(Term, Sort)>,
    successor: Vec<Term>,
    possible: Term,
    /// Evaluate whether a choice fits a step, and where that leads.
    fitting: Repeated,
    stepping: Repeated,
    drawn: u64,
    tried: usize,
}

impl Walk {
    /// Walks over state variables with these inputs. A step is possible where Boolean terms hold, and leads to the values of `successor`,
    /// in the order of `state`; both are terms over state and inputs.
    pub fn new(
        terms: &mut Terms,
        (state, successor): (Vec<Term>, Vec<Term>),
        inputs: &[Term],
        conditions: impl IntoIterator<Item = Term>,
    ) -> Self {
        let possible = terms.and_all(conditions);
        let inputs = inputs.iter().map(|&input| (input, terms.sort(input)));
        Self {
            inputs: inputs.collect(),
            fitting: Repeated::new(terms, &[possible]),
            stepping: Repeated::new(terms, &successor),
            state,
            successor,
            possible,
            drawn: 0,
            tried: 0,
        }
    }

    /// How many choices of inputs were tried in all walks.
    pub fn tried(&self) -> usize {
        self.tried
    }

    /// The states that one walk from a state visits, itself aside.
    pub fn from(&mut self, terms: &Terms, state: &[Value]) -> Vec<Vec<Value>> {
        let start = self.state.iter().copied().zip(state.iter().copied());
        let mut known: FxHashMap<Term, Value> = start.collect();
        let mut visited = Vec::new();
        let mut in_vain = 0;
        for _ in 0..TRIES {
            if in_vain == IN_VAIN {
                break;
            }
            in_vain += 1;
            self.tried += 1;
            for position in 0..self.inputs.len() {
                let (input, sort) = self.inputs[position];
                let value = self.value(sort);
                known.insert(input, value);
            }
            let value = |symbol| known.get(&symbol).copied();
            self.fitting.run(terms, value);
            if self.fitting.value(self.possible).is_true() {
                self.stepping.run(terms, value);
                let successor = self.successor.iter();
                let successor: Vec<Value> =
                    successor.map(|&next| self.stepping.value(next)).collect();
                known.extend(self.state.iter().copied().zip(successor.iter().copied()));
                visited.push(successor);
                in_vain = 0;
            }
        }
        visited
    }

    /// The next value of the sequence: every other one is small.
    fn value(&mut self, sort: Sort) -> Value {
        let number = self.draw();
        let number = if number >> 63 == 1 {
            number & 3
        } else {
            number
        };
        match sort {
            Sort::Bool => Value::Bool(number & 1 == 1),
            Sort::BitVec(width) => Value::truncated(width, u128::from(number)),
        }
    }

    /// Mixes a counter (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
    fn draw(&mut self) -> u64 {
        self.drawn = self.drawn.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.drawn;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}
