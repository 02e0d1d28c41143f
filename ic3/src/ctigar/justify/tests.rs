//! Compares justifications with an enumeration of states.

use system::term::Sort;
use system::testing::{Random, all_values, random_system};
use system::transition_system::TransitionSystem;

use super::*;
use crate::Precision;
use crate::ctigar::initial_predicates;

/// A system at the exact precision, for justifications at random points.
struct Setting {
    system: TransitionSystem,
    step: StepRelation,
    predicates: Predicates,
}

impl Setting {
    fn new(mut system: TransitionSystem) -> Self {
        let mut step = StepRelation::new(&mut system);
        let mut predicates = Predicates::new(&mut system, &mut step);
        initial_predicates::activate(&mut system, &mut step, &mut predicates, Precision::Exact);
        assert!(predicates.is_exact());
        Self {
            system,
            step,
            predicates,
        }
    }

    /// The Boolean terms of steps, each as it is at a point: negated if it is false there.
    fn truths(&mut self, point: &ConcreteStep) -> Vec<Term> {
        let terms = &mut self.system.terms;
        let mut evaluator = self.step.evaluator(&point.state, &point.inputs);
        let all = terms
            .all()
            .filter(|&term| terms.sort(term) == Sort::Bool)
            .collect::<Vec<_>>();
        let truths = all.into_iter().map(|term| {
            if evaluator.value(terms, term).is_true() {
                term
            } else {
                terms.not(term)
            }
        });
        truths.collect()
    }

    fn justify(&self, justifier: &mut Justifier, point: &ConcreteStep, roots: &[Term]) -> Cube {
        let (terms, predicates) = (&self.system.terms, &self.predicates);
        let cube = justifier.justify(terms, &self.step, predicates, point, roots);
        cube.expect("the roots are true")
    }
}

#[test]
fn a_justification_holds_and_suffices() {
    let mut justifier = Justifier::default();
    let (mut partial, mut relations) = (0, 0);
    for seed in 0..600 {
        let random = &mut Random::new(seed);
        let mut setting = Setting::new(random_system(random));
        let terms = &setting.system.terms;
        let mut values = |variables: &[Term]| -> Vec<Value> {
            let values = variables.iter().map(|&variable| terms.sort(variable));
            values.map(|sort| random.value(sort)).collect()
        };
        let (state, inputs) = (values(&setting.step.state), values(&setting.step.inputs));
        let point = ConcreteStep { state, inputs };
        let truths = setting.truths(&point);
        let targets: Vec<&[Term]> = truths.chunks(2).collect();
        let cubes: Vec<Cube> = targets
            .iter()
            .map(|roots| setting.justify(&mut justifier, &point, roots))
            .collect();
        let bits = setting.predicates.bits().count();
        for cube in &cubes {
            partial += usize::from((1..bits).contains(&cube.len()));
            let literals = cube.iter();
            relations += literals
                .filter(|literal| setting.predicates.support(literal.predicate()).len() > 1)
                .count();
        }
        let terms = &setting.system.terms;
        for state in all_values(terms, &setting.step.state) {
            let mut evaluator = setting.step.evaluator(&state, &point.inputs);
            let mut holds = |term| evaluator.value(terms, term).is_true();
            for (cube, roots) in cubes.iter().zip(&targets) {
                let within = cube
                    .iter()
                    .all(|literal| holds(setting.predicates.now(literal)));
                assert!(within || state != point.state, "seed {seed}: {cube:?}");
                assert!(
                    !within || roots.iter().all(|&root| holds(root)),
                    "seed {seed}: {cube:?} in {state:?}"
                );
            }
        }
    }
    assert!(partial > 1000 && relations > 10, "{partial} {relations}");
}

/// Literals that determine a term over `x` and `y`, which have 8 bits each and these values, and `p`, which is false.
fn literals(x: u128, y: u128, term: impl Fn(&mut Terms, [Term; 3]) -> Term) -> usize {
    let mut terms = Terms::new();
    let [x_is, y_is] = [x, y].map(|bits| Value::BitVec(8, bits));
    let word = Sort::BitVec(8);
    let variables = [("x", word), ("y", word), ("p", Sort::Bool)];
    let variables = variables.map(|(name, sort)| terms.symbol(name, sort));
    let root = term(&mut terms, variables);
    let state = variables.map(|current| system::transition_system::StateVariable {
        current,
        initial: None,
        next: Some(current),
    });
    let guard = terms.bool(true);
    let setting = Setting::new(TransitionSystem {
        terms,
        state: state.to_vec(),
        inputs: Vec::new(),
        initial_constraints: Vec::new(),
        guard,
        invariant_constraints: Vec::new(),
        properties: Vec::new(),
    });
    let point = ConcreteStep {
        state: vec![x_is, y_is, Value::Bool(false)],
        inputs: Vec::new(),
    };
    let cube = setting.justify(&mut Justifier::default(), &point, &[root]);
    cube.len()
}

#[test]
fn what_does_not_matter_is_left_out() {
    let conjunction = |terms: &mut Terms, [x, _, p]: [Term; 3]| {
        let zero = terms.bits(8, 0);
        let is_zero = terms.equal(x, zero);
        let both = terms.and(is_zero, p);
        terms.not(both)
    };
    assert_eq!(literals(1, 0, conjunction), 1, "a false conjunct");
    let equality = |terms: &mut Terms, [x, y, _]: [Term; 3]| {
        let equal = terms.equal(x, y);
        terms.not(equal)
    };
    assert_eq!(literals(6, 0, equality), 2, "one bit that differs");
    let less = |terms: &mut Terms, [x, y, _]: [Term; 3]| terms.unsigned_less(x, y);
    assert_eq!(
        literals(0x0f, 0x60, less),
        4,
        "from the bit that decides up"
    );
    let chosen = |terms: &mut Terms, [x, y, p]: [Term; 3]| {
        let word = terms.ite(p, x, y);
        let bit = terms.extract(3, 3, word);
        terms.bit_to_bool(bit)
    };
    assert_eq!(literals(0, 8, chosen), 2, "a bit of the branch taken");
    for cheap_first in [true, false] {
        let disjunction = |terms: &mut Terms, [x, _, p]: [Term; 3]| {
            let five = terms.bits(8, 5);
            let mut disjunct = |cheap| {
                if cheap {
                    terms.not(p)
                } else {
                    terms.equal(x, five)
                }
            };
            let disjuncts = [cheap_first, !cheap_first].map(&mut disjunct);
            terms.or_all(disjuncts)
        };
        assert_eq!(literals(5, 0, disjunction), 1, "the cheaper disjunct");
    }
    let masked = |terms: &mut Terms, [x, y, _]: [Term; 3]| {
        let (word, one) = (terms.bit_and(x, y), terms.bits(8, 1));
        let equal = terms.equal(word, one);
        terms.not(equal)
    };
    assert_eq!(literals(0, 0, masked), 1, "one of two bits that are zero");
    let product = |terms: &mut Terms, [x, y, _]: [Term; 3]| {
        let (product, zero) = (terms.multiply(x, y), terms.bits(8, 0));
        terms.equal(product, zero)
    };
    assert_eq!(literals(0, 7, product), 8, "a factor that is zero");
}
