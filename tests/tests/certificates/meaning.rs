//! What a proof has to show, over runs that follow the next values from arbitrary states.

use z3::ast::Bool;
use z3::{SatResult, Solver};

use super::reference::{Claim, Position, Value, arbitrary, equal};

/// Positions that follow each other.
struct Run<'a> {
    positions: Vec<Position<'a>>,
    /// The states.
    states: Vec<Vec<Value>>,
}

impl<'a> Run<'a> {
    /// A run of a number of transitions.
    fn new(claim: &'a Claim, transitions: usize) -> Self {
        let mut run = Self {
            positions: Vec::new(),
            states: Vec::new(),
        };
        let mut state = arbitrary(&claim.state);
        for _ in 0..=transitions {
            let mut position = claim.position(state.clone(), arbitrary(&claim.inputs));
            let anything = arbitrary(&claim.state).into_iter().enumerate();
            let next =
                anything.map(|(variable, any)| claim.next(variable, &mut position).unwrap_or(any));
            let next = next.collect();
            run.positions.push(position);
            run.states.push(std::mem::replace(&mut state, next));
        }
        run
    }

    fn role(&mut self, role: &str, position: usize) -> Bool {
        let value = self.positions[position].role(role);
        value.expect("the certificate was accepted, so this is Boolean")
    }

    /// The constraints hold everywhere, and the guard wherever a transition follows.
    fn considered(&mut self) -> Vec<Bool> {
        let last = self.positions.len() - 1;
        let mut formulas: Vec<Bool> = (0..=last)
            .map(|position| self.role("constraints", position))
            .collect();
        formulas.extend((0..last).map(|position| self.role("guard", position)));
        formulas
    }

    fn agree(&self, one: usize, other: usize, variables: &[usize]) -> Bool {
        let [one, other] = [one, other].map(|position| &self.states[position]);
        let equations = variables
            .iter()
            .map(|&variable| equal(&one[variable], &other[variable]));
        Bool::and(&equations.collect::<Option<Vec<Bool>>>().expect("one sort"))
    }
}

fn is_unsatisfiable(formulas: &[Bool]) -> bool {
    let solver = Solver::new();
    for formula in formulas {
        solver.assert(formula);
    }
    match solver.check() {
        SatResult::Unsat => true,
        SatResult::Sat => false,
        SatResult::Unknown => panic!("Z3 has no limit here"),
    }
}

/// Whether a run of exactly that many transitions violates the system.
fn violates(claim: &Claim, transitions: usize) -> bool {
    let mut run = Run::new(claim, transitions);
    let mut formulas = run.considered();
    formulas.extend([run.role("initial", 0), run.role("bad", transitions)]);
    !is_unsatisfiable(&formulas)
}

/// Whether a run of at most that many transitions violates the system.
pub fn is_violated(claim: &Claim, transitions: usize) -> bool {
    (0..=transitions).any(|transitions| violates(claim, transitions))
}

/// Whether the claim's argument proves it.
pub fn is_proved(claim: &Claim) -> bool {
    let argument: Vec<&str> = claim.argument.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<usize>().expect("a number");
    match argument.as_slice() {
        ["inductive", "invariant"] => is_preserved(claim) && is_good(claim),
        ["exhausted", "runs", "of", depth, "transitions"] => {
            let depth = number(depth);
            !is_violated(claim, depth) && has_no_run(claim, depth + 1)
        }
        ["induction", "over", depth, "states", rest @ ..] => {
            let distinct = rest.strip_prefix(["that", "differ", "in", "variables"].as_slice());
            let distinct =
                distinct.map(|all| all.iter().map(|text| number(text)).collect::<Vec<usize>>());
            let depth = number(depth);
            let decides = distinct
                .as_deref()
                .is_none_or(|variables| decide(claim, variables));
            is_preserved(claim)
                && !is_violated(claim, depth - 1)
                && decides
                && no_step(claim, depth, distinct.as_deref())
        }
        _ => panic!("the certificate was accepted, so the argument is known"),
    }
}

fn is_preserved(claim: &Claim) -> bool {
    let mut first = Run::new(claim, 0);
    let mut start = first.considered();
    start.extend([first.role("initial", 0), first.role("invariant", 0).not()]);
    let mut run = Run::new(claim, 1);
    let mut step = run.considered();
    step.extend([run.role("invariant", 0), run.role("invariant", 1).not()]);
    is_unsatisfiable(&start) && is_unsatisfiable(&step)
}

fn is_good(claim: &Claim) -> bool {
    let mut run = Run::new(claim, 0);
    let mut formulas = run.considered();
    formulas.extend([run.role("invariant", 0), run.role("bad", 0)]);
    is_unsatisfiable(&formulas)
}

fn has_no_run(claim: &Claim, transitions: usize) -> bool {
    let mut run = Run::new(claim, transitions);
    let mut formulas = run.considered();
    formulas.push(run.role("initial", 0));
    is_unsatisfiable(&formulas)
}

/// No run of good states, different in some variables, ends in a bad one.
fn no_step(claim: &Claim, depth: usize, distinct: Option<&[usize]>) -> bool {
    let mut run = Run::new(claim, depth);
    let mut formulas = run.considered();
    formulas.extend((0..=depth).map(|position| run.role("invariant", position)));
    formulas.extend((0..depth).map(|position| run.role("bad", position).not()));
    formulas.push(run.role("bad", depth));
    let pairs = (0..=depth).flat_map(|later| (0..later).map(move |earlier| (earlier, later)));
    if let Some(variables) = distinct {
        formulas.extend(pairs.map(|(earlier, later)| run.agree(earlier, later, variables).not()));
    }
    is_unsatisfiable(&formulas)
}

/// Whether what happens in a state of the invariant depends on its input and some variables alone. That a state is considered must
/// depend on them, too, also where nothing is known of the other state.
fn decide(claim: &Claim, variables: &[usize]) -> bool {
    let inputs = arbitrary(&claim.inputs);
    let [one, other] = [(); 2].map(|()| arbitrary(&claim.state));
    let states = [one, other];
    let mut positions = states
        .clone()
        .map(|state| claim.position(state, inputs.clone()));
    let mut outcomes = Vec::new();
    for position in &mut positions {
        let roles = ["guard", "bad"].map(|role| position.role(role).expect("Boolean"));
        let next = variables
            .iter()
            .filter_map(|&variable| claim.next(variable, position));
        let roles = roles.into_iter().map(Value::Bool);
        outcomes.push(roles.chain(next).collect::<Vec<Value>>());
    }
    let mut role = |position: usize, role| positions[position].role(role).expect("Boolean");
    let mut formulas = vec![role(0, "invariant"), role(0, "constraints")];
    for &variable in variables {
        formulas.extend(equal(&states[0][variable], &states[1][variable]));
    }
    let same = outcomes[0].iter().zip(&outcomes[1]);
    let same = same.map(|(one, other)| equal(one, other).expect("one sort"));
    let same = Bool::and(&same.collect::<Vec<Bool>>());
    let differs = Bool::and(&[role(1, "invariant"), same.not()]);
    formulas.push(Bool::or(&[role(1, "constraints").not(), differs]));
    is_unsatisfiable(&formulas)
}
