//! Random walks from a state: they find states that a subspace must contain in microseconds, where a query takes
//! milliseconds.

use rustc_hash::FxHashMap;
use system::eval::Repeated;
use system::term::{Sort, Term, Terms, Value};
use system::transition_system::TransitionSystem;

use super::super::step_relation::StepRelation;

/// Choices of inputs that are tried, most of which may fit no step.
const TRIES: usize = 400;

/// After so many choices in a row that fit no step there is probably none.
const IN_VAIN: usize = 60;

/// Steps under inputs that are drawn from a fixed sequence.
pub struct Walk {
    state: Vec<Term>,
    inputs: Vec<(Term, Sort)>,
    successor: Vec<Term>,
    possible: Term,
    /// Evaluate whether a choice fits a step, and where that leads.
    fitting: Repeated,
    stepping: Repeated,
    drawn: u64,
}

impl Walk {
    /// Walks of a system.
    pub fn new(system: &mut TransitionSystem, step: &mut StepRelation) -> Self {
        let state = step.state.clone();
        let successor: Vec<Term> = state.iter().map(|&x| step.after(system, x)).collect();
        let terms = &mut system.terms;
        let conditions = step.constraints.iter().chain(&step.enabled);
        let possible = terms.and_all(conditions.copied());
        let inputs = step.inputs.iter().map(|&input| (input, terms.sort(input)));
        Self {
            inputs: inputs.collect(),
            fitting: Repeated::new(terms, &[possible]),
            stepping: Repeated::new(terms, &successor),
            state,
            successor,
            possible,
            drawn: 0,
        }
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
