//! The quantities of a system between which equalities are looked for.

use rustc_hash::{FxHashMap, FxHashSet};
use system::eval::Repeated;
use system::term::{Binary, Node, Sort, Term, Terms, Value, all_ones};
use system::transition_system::TransitionSystem;

use super::super::mine::{atoms_of, constants};
use super::super::step::Step;
use super::bounds::Bounds;
use super::differences::Differences;
use super::pairs::Pairs;
use super::space::Equation;

/// With more columns, queries take longer than the search that they are to shorten.
const MOST: usize = 200;

/// The widest variables that are considered.
const WIDEST: u32 = 64;

/// Boolean and bit-vector terms over the state, which all count as numbers from 0 on.
///
/// First come the variables, then their comparisons with constants, then other comparisons.
pub struct Columns {
    now: Vec<Term>,
    sorts: Vec<Sort>,
    /// How many of them are variables.
    variables: usize,
    /// How many of them are variables or comparisons of one with a constant.
    numbers: usize,
    width: u32,
    evaluation: Repeated,
}

impl Columns {
    /// The variables of the state and their comparisons with constants; `None` if there are none, or too many.
    pub fn new(system: &mut TransitionSystem, step: &Step) -> Option<Self> {
        let terms = &system.terms;
        let variables: FxHashSet<Term> = step.state.iter().copied().collect();
        let mut now: Vec<Term> = step
            .state
            .iter()
            .copied()
            .filter(|&x| width(terms, x) <= WIDEST)
            .collect();
        let number_of_variables = now.len();
        let atoms = atoms_of(system, &system.step_parts().collect::<Vec<_>>()).into_iter();
        let atoms = atoms.filter(|atom| !variables.contains(atom));
        let (indicators, others): (Vec<Term>, Vec<Term>) =
            atoms.partition(|&atom| is_variable_equal_to_constant(terms, &variables, atom));
        now.extend(indicators);
        let width = now.iter().map(|&term| width(terms, term)).max()?;
        let numbers = now.len();
        if numbers > MOST {
            return None;
        }
        now.extend(others);
        let sorts = now.iter().map(|&term| terms.sort(term)).collect();
        Some(Self {
            evaluation: Repeated::new(terms, &now),
            now,
            sorts,
            variables: number_of_variables,
            numbers,
            width,
        })
    }

    /// The terms, over the state.
    pub fn now(&self) -> &[Term] {
        &self.now
    }

    /// The bounds to try.
    pub fn bounds(&self, system: &TransitionSystem) -> Bounds {
        Bounds::new(
            &system.terms,
            &self.sorts[..self.numbers],
            self.variables,
            &constants(system),
        )
    }

    /// Differences between variables, everywhere and where they have some value.
    pub fn differences(&self) -> Differences {
        let conditions = self.variables..self.numbers;
        Differences::new(&self.sorts[..self.variables], conditions)
    }

    /// The pairs of what is true or false.
    pub fn pairs(&self) -> Pairs {
        let columns = 0..self.now.len();
        Pairs::new(columns.filter(|&column| self.sorts[column] == Sort::Bool).collect())
    }

    /// How many count as numbers.
    pub fn len(&self) -> usize {
        self.numbers
    }

    /// Equalities are modulo two to the power of this, the width of the widest.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The numbers in a state.
    pub fn at(&mut self, terms: &Terms, step: &Step, state: &[Value]) -> Vec<u64> {
        let known = step.state.iter().copied().zip(state.iter().copied());
        let known: FxHashMap<Term, Value> = known.collect();
        let evaluation = &mut self.evaluation;
        evaluation.run(terms, |symbol| known.get(&symbol).copied());
        let values = self.now.iter().map(|&term| evaluation.value(term));
        values.map(|value| value.bits() as u64).collect()
    }

    /// The equation as a Boolean term over the state, with as few bits as it takes.
    pub fn term(&self, terms: &mut Terms, equation: &Equation) -> Term {
        let common = equation
            .coefficients
            .iter()
            .map(|c| c.trailing_zeros())
            .min();
        let common = common.unwrap_or(0).min(self.width - 1);
        let bits = self.width - common;
        let mut sides = Sides::new(bits);
        for (index, &coefficient) in equation.coefficients.iter().enumerate() {
            let largest = all_ones(match self.sorts[index] {
                Sort::Bool => 1,
                Sort::BitVec(width) => width,
            });
            sides.add(Some(self.now[index]), coefficient >> common, largest);
        }
        // The constant stands on the right of the equation.
        let constant = (equation.constant >> common).wrapping_neg();
        sides.add(None, constant, 1);
        sides.equal(terms)
    }
}

/// Two sums with positive coefficients that must be equal modulo a power of two.
struct Sides {
    bits: u32,
    summands: [Vec<(Option<Term>, u64)>; 2],
    largest: [u128; 2],
}

impl Sides {
    fn new(bits: u32) -> Self {
        Self {
            bits,
            summands: Default::default(),
            largest: [0; 2],
        }
    }

    /// Adds a multiple of a term, or of one, which is at most `largest`, to the side where its coefficient is smaller.
    fn add(&mut self, term: Option<Term>, coefficient: u64, largest: u128) {
        let mask = all_ones(self.bits) as u64;
        let positive = coefficient & mask;
        let negative = coefficient.wrapping_neg() & mask;
        let side = usize::from(negative < positive);
        let coefficient = positive.min(negative);
        if coefficient > 0 {
            self.summands[side].push((term, coefficient));
            let most = u128::from(coefficient).saturating_mul(largest);
            self.largest[side] = self.largest[side].saturating_add(most);
        }
    }

    fn equal(&self, terms: &mut Terms) -> Term {
        let largest = self.largest[0].max(self.largest[1]).max(1);
        let bits = self.bits.min(u128::BITS - largest.leading_zeros());
        let [left, right] = [0, 1].map(|side| {
            let mut sum = terms.bits(bits, 0);
            for &(term, coefficient) in &self.summands[side] {
                let factor = terms.bits(bits, u128::from(coefficient));
                let summand = match term {
                    Some(term) => {
                        let number = number(terms, term, bits);
                        terms.multiply(number, factor)
                    }
                    None => factor,
                };
                sum = terms.add(sum, summand);
            }
            sum
        });
        terms.equal(left, right)
    }
}

/// A Boolean or bit-vector term as a number modulo two to the power of `bits`.
fn number(terms: &mut Terms, term: Term, bits: u32) -> Term {
    let number = match terms.sort(term) {
        Sort::Bool => terms.bool_to_bit(term),
        Sort::BitVec(_) => term,
    };
    if terms.width(number) > bits {
        terms.extract(bits - 1, 0, number)
    } else {
        terms.zero_extend(bits, number)
    }
}

fn width(terms: &Terms, term: Term) -> u32 {
    match terms.sort(term) {
        Sort::Bool => 1,
        Sort::BitVec(width) => width,
    }
}

fn is_variable_equal_to_constant(terms: &Terms, variables: &FxHashSet<Term>, atom: Term) -> bool {
    let Node::Binary(Binary::Equal, a, b) = terms.node(atom) else {
        return false;
    };
    [(a, b), (b, a)].iter().any(|&(variable, constant)| {
        variables.contains(&variable) && terms.as_value(constant).is_some()
    })
}
