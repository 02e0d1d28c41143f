//! The dimensions of the vectors: the quantities of a system between which equalities are looked for.

use rustc_hash::{FxHashMap, FxHashSet};
use system::eval::Repeated;
use system::term::{Binary, Node, Sort, Term, Terms, Value, all_ones};
use system::transition_system::TransitionSystem;

use super::super::initial_predicates::{atoms_of, constants};
use super::super::step_relation::StepRelation;
use super::bounds::UpperBounds;
use super::differences::Differences;
use super::exclusions::Exclusions;
use super::space::Equation;

/// With more dimensions, queries take longer than the search that they are to shorten.
const MOST: usize = 400;

/// The largest coefficient of a bit-vector in an equation, up to its sign.
const LARGEST: u64 = 256;

/// The widest variables that are considered.
const WIDEST: u32 = 64;

/// Boolean and bit-vector terms over the state, which all count as numbers from 0 on.
///
/// First come the variables, then their comparisons with constants, then other comparisons.
pub struct Dimensions {
    now: Vec<Term>,
    sorts: Vec<Sort>,
    /// How many of them are variables.
    variables: usize,
    /// The variables of the comparisons with constants, in order.
    compared: Vec<Term>,
    width: u32,
    evaluation: Repeated,
}

impl Dimensions {
    /// The variables of the state and their comparisons with constants; `None` if there are none, or too many.
    pub fn new(system: &mut TransitionSystem, step: &StepRelation) -> Option<Self> {
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
        let (mut compared, mut others) = (Vec::new(), Vec::new());
        for atom in atoms {
            match variable_equal_to_constant(terms, &variables, atom) {
                Some(variable) => {
                    compared.push(variable);
                    now.push(atom);
                }
                None => others.push(atom),
            }
        }
        let width = now.iter().map(|&term| width(terms, term)).max()?;
        if now.len() > MOST {
            return None;
        }
        now.extend(others);
        let sorts = now.iter().map(|&term| terms.sort(term)).collect();
        Some(Self {
            evaluation: Repeated::new(terms, &now),
            now,
            sorts,
            variables: number_of_variables,
            compared,
            width,
        })
    }

    /// The terms, over the state.
    pub fn now(&self) -> &[Term] {
        &self.now
    }

    /// The bounds to try.
    pub fn bounds(&self, system: &TransitionSystem) -> UpperBounds {
        UpperBounds::new(
            &system.terms,
            &self.sorts[..self.len()],
            self.variables,
            &constants(system),
        )
    }

    /// Differences between variables, everywhere and where they have some value.
    pub fn differences(&self) -> Differences {
        let conditions = self.variables..self.len();
        Differences::new(&self.sorts[..self.variables], conditions)
    }

    /// The pairs of what is true or false.
    pub fn exclusions(&self) -> Exclusions {
        let dimensions = 0..self.now.len();
        let boolean = dimensions.filter(|&dimension| self.sorts[dimension] == Sort::Bool);
        let variable = |dimension: usize| {
            let case = dimension.checked_sub(self.variables)?;
            self.compared.get(case).copied()
        };
        Exclusions::new(
            boolean
                .map(|dimension| (dimension, variable(dimension)))
                .collect(),
        )
    }

    /// How many count as numbers.
    pub fn len(&self) -> usize {
        self.variables + self.compared.len()
    }

    /// Equalities are modulo two to the power of this, the width of the widest.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The numbers in a state.
    pub fn at(&mut self, terms: &Terms, step: &StepRelation, state: &[Value]) -> Vec<u64> {
        let known = step.state.iter().copied().zip(state.iter().copied());
        let known: FxHashMap<Term, Value> = known.collect();
        let evaluation = &mut self.evaluation;
        evaluation.run(terms, |symbol| known.get(&symbol).copied());
        let values = self.now.iter().map(|&term| evaluation.value(term));
        values.map(|value| value.bits() as u64).collect()
    }

    /// Whether an equation has small coefficients of bit-vectors. Other ones are artefacts: a few states with random values
    /// always lie in some hyperplane, and solvers multiply badly.
    pub fn is_plausible(&self, equation: &Equation) -> bool {
        let (common, bits) = self.modulus(equation);
        let mut variables = equation.coefficients[..self.variables]
            .iter()
            .zip(&self.sorts);
        variables.all(|(&coefficient, &sort)| {
            let [positive, negative] = signs(coefficient >> common, bits);
            sort == Sort::Bool || positive.min(negative) <= LARGEST
        })
    }

    /// The equation as a Boolean term over the state, with as few bits as it takes.
    pub fn term(&self, terms: &mut Terms, equation: &Equation) -> Term {
        let (common, bits) = self.modulus(equation);
        let mut sides = Sides::new(bits);
        for (index, &coefficient) in equation.coefficients.iter().enumerate() {
            let coefficient = coefficient >> common;
            let term = self.now[index];
            match index.checked_sub(self.variables) {
                Some(case) => sides.add_case(self.compared[case], term, coefficient),
                None => sides.add(term, coefficient, all_ones(width(terms, term))),
            }
        }
        // The constant stands on the right of the equation.
        sides.add_constant((equation.constant >> common).wrapping_neg());
        sides.equal(terms)
    }

    /// The logarithm of the power of two that divides all coefficients, and how many bits count beside it.
    fn modulus(&self, equation: &Equation) -> (u32, u32) {
        let coefficients = equation.coefficients.iter();
        let common = coefficients.map(|c| c.trailing_zeros()).min();
        let common = common.unwrap_or(0).min(self.width - 1);
        (common, self.width - common)
    }
}

/// Two sums with positive coefficients that must be equal modulo a power of two.
struct Sides {
    bits: u32,
    sums: [Sum; 2],
}

/// Summands, and what is at most their sum.
#[derive(Default)]
struct Sum {
    /// Multiples of terms. What they are at most comes last.
    multiples: Vec<(Term, u64, u128)>,
    /// By variable, what is added where it has a value: of these conditions no two hold together.
    cases: Vec<(Term, Vec<(Term, u64)>)>,
    constant: u64,
}

impl Sides {
    fn new(bits: u32) -> Self {
        Self {
            bits,
            sums: Default::default(),
        }
    }

    /// The side where a coefficient is smaller, and what it is there.
    fn side(&mut self, coefficient: u64) -> (&mut Sum, u64) {
        let [positive, negative] = signs(coefficient, self.bits);
        let side = usize::from(negative < positive);
        (&mut self.sums[side], positive.min(negative))
    }

    /// Adds a multiple of a term, which is at most `largest`.
    fn add(&mut self, term: Term, coefficient: u64, largest: u128) {
        let (sum, coefficient) = self.side(coefficient);
        if coefficient > 0 {
            let most = u128::from(coefficient).saturating_mul(largest);
            sum.multiples.push((term, coefficient, most));
        }
    }

    /// Adds a multiple of one where a condition holds, namely that a variable has a certain value.
    fn add_case(&mut self, variable: Term, condition: Term, coefficient: u64) {
        let (sum, coefficient) = self.side(coefficient);
        if coefficient > 0 {
            let known = sum.cases.iter_mut().find(|(known, _)| *known == variable);
            match known {
                Some((_, cases)) => cases.push((condition, coefficient)),
                None => sum.cases.push((variable, vec![(condition, coefficient)])),
            }
        }
    }

    fn add_constant(&mut self, constant: u64) {
        let (sum, constant) = self.side(constant);
        sum.constant = constant;
    }

    fn equal(self, terms: &mut Terms) -> Term {
        let bits = self.bits;
        let sums = self.sums.map(|sum| sum.term(terms, bits));
        let widest = sums.map(|sum| terms.width(sum)).into_iter().max();
        let widest = widest.unwrap_or(bits);
        let [left, right] = sums.map(|sum| terms.zero_extend(widest, sum));
        terms.equal(left, right)
    }
}

impl Sum {
    /// The sum modulo two to the power of `bits`, no wider than it can be. Small summands come first, so that most of the
    /// additions are narrow.
    fn term(mut self, terms: &mut Terms, bits: u32) -> Term {
        let mut most = u128::from(self.constant);
        let mut sum = terms.bits(bits.min(length(most)), most);
        let mut summands = Vec::new();
        for (_, cases) in self.cases {
            let largest = cases.iter().map(|&(_, value)| u128::from(value)).max();
            let largest = largest.unwrap_or(0);
            let width = bits.min(length(largest));
            let none = terms.bits(width, 0);
            let value = cases.into_iter().fold(none, |others, (condition, value)| {
                let value = terms.bits(width, u128::from(value));
                terms.ite(condition, value, others)
            });
            summands.push((value, 1, largest));
        }
        self.multiples.sort_by_key(|&(.., most)| most);
        for (term, coefficient, largest) in summands.into_iter().chain(self.multiples) {
            most = most.saturating_add(largest);
            let width = bits.min(length(most));
            let factor = terms.bits(width, u128::from(coefficient));
            let number = number(terms, term, width);
            let summand = terms.multiply(number, factor);
            let so_far = terms.zero_extend(width, sum);
            sum = terms.add(so_far, summand);
        }
        sum
    }
}

/// A coefficient and its negation, modulo two to the power of `bits`.
fn signs(coefficient: u64, bits: u32) -> [u64; 2] {
    let mask = all_ones(bits) as u64;
    [coefficient & mask, coefficient.wrapping_neg() & mask]
}

/// How many bits it takes to write a number.
fn length(number: u128) -> u32 {
    (u128::BITS - number.leading_zeros()).max(1)
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

/// The variable that an atom compares with a constant for equality.
fn variable_equal_to_constant(
    terms: &Terms,
    variables: &FxHashSet<Term>,
    atom: Term,
) -> Option<Term> {
    let Node::Binary(Binary::Equal, a, b) = terms.node(atom) else {
        return None;
    };
    let sides = [(a, b), (b, a)].into_iter();
    let mut sides = sides.filter(|&(variable, constant)| {
        variables.contains(&variable) && terms.as_value(constant).is_some()
    });
    sides.next().map(|(variable, _)| variable)
}
