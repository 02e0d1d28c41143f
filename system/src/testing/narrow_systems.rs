//! Random systems whose variables take only few of the values of their sorts.

use super::Random;
use crate::term::{Sort, Term, Terms, Value};
use crate::transition_system::{Property, Role, StateVariable, TransitionSystem};

/// A system of a Boolean, two bit-vectors that hold a few constants or count up to a bound, and a Boolean input. It has
/// at most 11 bits of state.
pub fn random_narrow_system(random: &mut Random) -> TransitionSystem {
    let mut terms = Terms::new();
    let sorts = [1 + random.below(4), 6].map(|width| Sort::BitVec(width as u32));
    let sorts = [Sort::Bool, sorts[0], sorts[1]];
    let variables: Vec<Term> = sorts.iter().map(|&sort| terms.symbol("x", sort)).collect();
    let input = terms.symbol("go", Sort::Bool);
    let mut builder = Builder {
        random,
        terms,
        variables: variables.clone(),
        input,
        constants: Vec::new(),
    };
    let constants = sorts.map(|sort| [0; 3].map(|_| builder.random.value(sort)));
    builder.constants = constants.to_vec();
    let state = (0..variables.len())
        .map(|index| builder.variable(index))
        .collect();
    let bad = [(); 2].map(|()| builder.condition());
    let truth = builder.terms.bool(true);
    let (guard, constraint) = (builder.condition(), builder.condition());
    let Builder {
        random, mut terms, ..
    } = builder;
    TransitionSystem {
        state,
        inputs: vec![input],
        initial_constraints: Vec::new(),
        guard: if random.below(4) == 0 { guard } else { truth },
        invariant_constraints: if random.below(8) == 0 {
            vec![constraint]
        } else {
            Vec::new()
        },
        properties: vec![Property {
            name: "p".to_owned(),
            role: Role::Violation,
            bad: terms.and_all(bad),
        }],
        terms,
    }
}

struct Builder<'a> {
    random: &'a mut Random,
    terms: Terms,
    variables: Vec<Term>,
    input: Term,
    /// For each variable, the constants that it is made of and compared with.
    constants: Vec<[Value; 3]>,
}

impl Builder<'_> {
    fn constant(&mut self, index: usize) -> Term {
        let constant = self.random.pick(&self.constants[index]);
        self.terms.constant(constant)
    }

    /// A condition on one variable, or the input.
    fn condition(&mut self) -> Term {
        let index = self.random.below(self.variables.len() + 1);
        let Some(&variable) = self.variables.get(index) else {
            return self.input;
        };
        let constant = self.constant(index);
        let terms = &mut self.terms;
        match (index, self.random.below(4)) {
            (0, _) => variable,
            (_, 0) => terms.unsigned_less(variable, constant),
            (_, 1) => terms.signed_less(variable, constant),
            (_, 2) => terms.unsigned_less(constant, variable),
            (_, _) => terms.equal(variable, constant),
        }
    }

    /// A next value: constants and variables of the sort chosen by conditions, now and then a sum.
    fn next(&mut self, index: usize, depth: usize) -> Term {
        if depth > 0 {
            let condition = self.condition();
            let (a, b) = (self.next(index, depth - 1), self.next(index, depth - 1));
            return self.terms.ite(condition, a, b);
        }
        let (variable, constant) = (self.variables[index], self.constant(index));
        let width = self.terms.width(variable);
        match (index, self.random.below(8)) {
            (0, _) => self.condition(),
            (_, 0..4) => constant,
            (_, 4..6) => variable,
            (2, 6) => self.terms.sign_extend(width, self.variables[1]),
            (_, _) => {
                let one = self.terms.bits(width, 1);
                self.terms.add(variable, one)
            }
        }
    }

    fn variable(&mut self, index: usize) -> StateVariable {
        StateVariable {
            current: self.variables[index],
            initial: Some(self.constant(index)),
            next: Some(self.next(index, 3)),
        }
    }
}
