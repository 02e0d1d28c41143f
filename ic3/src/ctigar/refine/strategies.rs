//! Strategies that find the predicates that an abstraction lacks.

use rustc_hash::FxHashMap;
use system::eval::Evaluator;
use system::term::{Binary, Node, Sort, Term, Terms, Value};
use system::transition_system::TransitionSystem;

use super::super::cube::Cube;
use super::super::initial_predicates::atoms_of;
use super::super::obligations::ProofObligation;
use super::super::predicates::Predicates;
use super::super::step_relation::StepRelation;

/// An abstraction that cannot be blocked, or has initial states, although the states it stands for can be, or have none.
pub struct Failure<'a> {
    /// The transitions.
    pub step: &'a StepRelation,
    /// All predicates so far.
    pub predicates: &'a Predicates,
    /// The obligation with this abstraction.
    pub obligation: &'a ProofObligation,
    /// The abstraction of the obligation that its step leads to; none if it violates a property.
    pub successor: Option<&'a Cube>,
    /// Literals of the concrete set that suffice.
    pub core: &'a Cube,
    /// The constants that the system mentions.
    pub constants: &'a [Term],
}

/// A way to find predicates.
pub trait Strategy: Sync {
    /// For the log.
    fn name(&self) -> &'static str;

    /// Boolean terms over the state that, with the truth values they have in the state of the obligation, may be what
    /// the abstraction lacks. None needs to be of use.
    fn candidates(&self, system: &mut TransitionSystem, failure: &Failure<'_>) -> Vec<Term>;
}

/// All strategies, the one with the weakest predicates first.
pub const STRATEGIES: [&dyn Strategy; 3] = [&WeakestPreconditions, &Orders, &Templates];

/// What is tried before, where threads stand for any number of others.
pub const FOR_FAMILIES: &dyn Strategy = &TakenBranches;

/// The atoms of what must hold before the step for the successor's abstraction to hold after it, under the inputs of
/// the step and in the places of the threads.
struct WeakestPreconditions;

impl Strategy for WeakestPreconditions {
    fn name(&self) -> &'static str {
        "weakest preconditions"
    }

    fn candidates(&self, system: &mut TransitionSystem, failure: &Failure<'_>) -> Vec<Term> {
        let Failure {
            step,
            predicates,
            obligation,
            ..
        } = failure;
        let conditions = match failure.successor {
            Some(target) => {
                let after = target.iter().map(|literal| predicates.after(literal));
                after.chain(step.enabled.iter().copied()).collect()
            }
            None => vec![step.bad],
        };
        let mut known = fixed(&system.terms, predicates, &obligation.cube);
        for (&input, &value) in step.inputs.iter().zip(&obligation.inputs) {
            known.insert(input, system.terms.constant(value));
        }
        let conditions = system.terms.substitute(&conditions, &known);
        atoms_of(system, &conditions)
    }
}

/// The same, where values are chosen by conditions, of those that are chosen in the state of the obligation.
struct TakenBranches;

impl Strategy for TakenBranches {
    fn name(&self) -> &'static str {
        "weakest preconditions as taken"
    }

    fn candidates(&self, system: &mut TransitionSystem, failure: &Failure<'_>) -> Vec<Term> {
        let atoms = WeakestPreconditions.candidates(system, failure);
        let state = failure.step.evaluator(&failure.obligation.state, &[]);
        let taken = as_taken(&mut system.terms, &atoms, state);
        atoms_of(system, &taken)
    }
}

/// Terms over the state with the values that are chosen in a state instead of the choices.
fn as_taken(terms: &mut Terms, roots: &[Term], mut state: Evaluator) -> Vec<Term> {
    let mut taken: FxHashMap<Term, Term> = FxHashMap::default();
    for term in terms.cone(roots) {
        if let Node::Ite(condition, yes, no) = terms.node(term)
            && terms.sort(term) != Sort::Bool
        {
            let branch = match state.value(terms, condition).is_true() {
                true => yes,
                false => no,
            };
            let image = terms.substitute(&[branch], &taken);
            taken.extend(image.first().map(|&image| (term, image)));
        }
    }
    terms.substitute(roots, &taken)
}

/// The variables to which a cube gives a value, such as the places of threads.
fn fixed(terms: &Terms, predicates: &Predicates, cube: &Cube) -> FxHashMap<Term, Term> {
    let equations = cube.iter().filter_map(|literal| {
        let Node::Binary(Binary::Equal, a, b) = terms.node(predicates.now(literal)) else {
            return None;
        };
        let (variable, value) = if terms.as_value(a).is_some() {
            (b, a)
        } else {
            (a, b)
        };
        terms.as_value(value).map(|_| (variable, value))
    });
    equations
        .filter(|&(variable, _)| terms.is_symbol(variable))
        .collect()
}

/// Unsigned comparisons of the variables of the core with each other and with constants of the system.
struct Orders;

impl Strategy for Orders {
    fn name(&self) -> &'static str {
        "orders"
    }

    fn candidates(&self, system: &mut TransitionSystem, failure: &Failure<'_>) -> Vec<Term> {
        let terms = &mut system.terms;
        let variables = variables(failure).into_iter().map(|(variable, _)| variable);
        let variables: Vec<Term> = variables.collect();
        let mut relations = Vec::new();
        for (index, &x) in variables.iter().enumerate() {
            let others = variables[index + 1..].iter().chain(failure.constants);
            for &y in others
                .filter(|&&y| terms.sort(y) == terms.sort(x))
                .collect::<Vec<_>>()
            {
                relations.push(terms.equal(x, y));
                if terms.sort(x) != Sort::Bool {
                    relations.extend([terms.unsigned_less(x, y), terms.unsigned_less(y, x)]);
                }
            }
        }
        relations
    }
}

/// Comparisons of the variables of the core with each other and with constants of the system, signed ones and differences too.
struct Templates;

impl Strategy for Templates {
    fn name(&self) -> &'static str {
        "templates"
    }

    fn candidates(&self, system: &mut TransitionSystem, failure: &Failure<'_>) -> Vec<Term> {
        let variables = variables(failure);
        let mut relations = Vec::new();
        for (index, &x) in variables.iter().enumerate() {
            relations.extend(bounds(&mut system.terms, x.0, failure.constants));
            for &y in &variables[index + 1..] {
                relations.extend(between(&mut system.terms, x, y));
            }
        }
        relations
    }
}

/// The variables of the core and their values in the obligation's state, in the order of the state.
fn variables(failure: &Failure<'_>) -> Vec<(Term, Value)> {
    let support = failure.predicates.support_of(failure.core);
    let mut positions: Vec<usize> = support.into_iter().collect();
    positions.sort_unstable();
    let valued = |position: usize| {
        (
            failure.step.state[position],
            failure.obligation.state[position],
        )
    };
    positions.into_iter().map(valued).collect()
}

/// A variable against the constants of its sort that the system mentions.
fn bounds(terms: &mut Terms, x: Term, constants: &[Term]) -> Vec<Term> {
    let sort = terms.sort(x);
    if sort == Sort::Bool {
        return vec![x];
    }
    let mut relations = Vec::new();
    for &constant in constants {
        if terms.sort(constant) == sort {
            relations.extend([
                terms.equal(x, constant),
                terms.unsigned_less(x, constant),
                terms.unsigned_less(constant, x),
                terms.signed_less(x, constant),
                terms.signed_less(constant, x),
            ]);
        }
    }
    relations
}

/// Relations between two variables of one sort.
fn between(terms: &mut Terms, (x, value): (Term, Value), (y, other): (Term, Value)) -> Vec<Term> {
    if terms.sort(x) != terms.sort(y) {
        return Vec::new();
    }
    let mut relations = vec![terms.equal(x, y)];
    if let Sort::BitVec(width) = terms.sort(x) {
        relations.extend([
            terms.unsigned_less(x, y),
            terms.unsigned_less(y, x),
            terms.signed_less(x, y),
            terms.signed_less(y, x),
        ]);
        let difference = Value::truncated(width, other.bits().wrapping_sub(value.bits()));
        let difference = terms.constant(difference);
        let shifted = terms.add(x, difference);
        relations.push(terms.equal(shifted, y));
    }
    relations
}
