//! What the tests of the encoding share: explicit search of an encoded system, and the comparison with the program.

use std::collections::{BTreeMap, BTreeSet};

use encode::{Encoding, Options, encode};
use explicit::explore::{
    Exploration, Incompleteness, LimitMet, SearchLimits, SearchVerdict, explore,
};
use explicit::interpret::{ReplayEnd, replay};
use instrument::{Asked, ConditionKind, Reduction, plan_under};
use program::check::check;
use program::model::{Instances, Program};
use program::points_to::PointsTo;
use program::threads::{Bounds, instantiate};
use rustc_hash::FxHashMap;
use system::eval::{Repeated, check_trace};
use system::term::{Sort, Term, Terms, Value};
use system::transition_system::{Step, Trace, TransitionSystem};

/// A program with its threads and its encoding.
pub struct Encoded {
    pub program: Program,
    /// The program with what the reduction adds.
    pub reduced: Program,
    pub instances: Instances,
    pub encoding: Encoding,
}

/// Makes every location whose statement others can see external: the reduction `none`.
pub fn mark_visible(program: &mut Program) {
    for template in program.templates.values_mut() {
        for edge in template.edges.values() {
            if !edge.statement.is_private() {
                template.locations[edge.source].external = true;
            }
        }
    }
}

/// Encodes a well-formed program as it is marked.
pub fn encoded(program: Program) -> Encoded {
    let mut reduced = program.clone();
    instrument::lower_phases(&mut reduced);
    for program in [&program, &reduced] {
        assert_eq!(check(program), []);
    }
    let instances = instantiate(&program, &Bounds::default());
    let points_to = PointsTo::analyse(&program, &instances);
    let encoding = encode(&reduced, &instances, &points_to, &Options::default());
    Encoded {
        program,
        reduced,
        instances,
        encoding,
    }
}

/// A state, and which state and input lead to it.
type Visited = (Vec<Value>, Option<(usize, usize)>);

/// Searches all states for the shortest violations of the properties that are reachable; `None` if there are more states than `limit` or
/// too many inputs.
pub fn search(system: &TransitionSystem, limit: usize) -> Option<BTreeMap<usize, Trace>> {
    let inputs = all_values(&system.terms, system.inputs.iter().copied(), 12)?;
    let open = system
        .state
        .iter()
        .filter(|variable| variable.initial.is_none());
    let arbitrary = all_values(&system.terms, open.map(|variable| variable.current), 8)?;
    let next: Vec<Term> = system
        .state
        .iter()
        .map(|v| v.next.expect("functional"))
        .collect();
    let roots: Vec<Term> = next
        .iter()
        .copied()
        .chain(system.properties.iter().map(|property| property.bad))
        .chain([system.guard])
        .collect();
    let mut evaluator = Repeated::new(&system.terms, &roots);
    let mut states: Vec<Visited> = Vec::new();
    let mut index: FxHashMap<Vec<Value>, usize> = FxHashMap::default();
    for chosen in arbitrary {
        let state = initial_state(system, &chosen);
        index.insert(state.clone(), states.len());
        states.push((state, None));
    }
    let mut found: BTreeMap<usize, usize> = BTreeMap::new();
    let mut current = 0;
    while current < states.len() {
        for (number, input) in inputs.iter().enumerate() {
            let symbols: FxHashMap<Term, Value> = system
                .state
                .iter()
                .map(|variable| variable.current)
                .zip(states[current].0.iter().copied())
                .chain(system.inputs.iter().copied().zip(input.iter().copied()))
                .collect();
            evaluator.run(&system.terms, |symbol| symbols.get(&symbol).copied());
            for (property, value) in system.properties.iter().enumerate() {
                if evaluator.value(value.bad).is_true() {
                    found.entry(property).or_insert(current);
                }
            }
            if evaluator.value(system.guard).is_true() {
                let state: Vec<Value> = next.iter().map(|&term| evaluator.value(term)).collect();
                if !index.contains_key(&state) {
                    index.insert(state.clone(), states.len());
                    states.push((state, Some((current, number))));
                }
            }
        }
        current += 1;
        if states.len() > limit {
            return None;
        }
    }
    let traces = found
        .iter()
        .map(|(&property, &at)| (property, trace(property, &states, &inputs, at)));
    Some(traces.collect())
}

fn trace(property: usize, states: &[Visited], inputs: &[Vec<Value>], last: usize) -> Trace {
    let mut steps = vec![Step {
        state: states[last].0.clone(),
        inputs: inputs[0].clone(),
    }];
    let mut at = last;
    while let Some((previous, input)) = states[at].1 {
        steps.push(Step {
            state: states[previous].0.clone(),
            inputs: inputs[input].clone(),
        });
        at = previous;
    }
    steps.reverse();
    Trace { property, steps }
}

fn initial_state(system: &TransitionSystem, chosen: &[Value]) -> Vec<Value> {
    let mut chosen = chosen.iter();
    let value = |initial: Option<Term>| match initial {
        Some(term) => system
            .terms
            .as_value(term)
            .expect("initial values are constants"),
        None => *chosen.next().expect("one for each"),
    };
    system
        .state
        .iter()
        .map(|variable| variable.initial)
        .map(value)
        .collect()
}

/// All valuations of some variables, if they have at most so many bits.
fn all_values(
    terms: &Terms,
    variables: impl Iterator<Item = Term>,
    limit: u32,
) -> Option<Vec<Vec<Value>>> {
    let sorts: Vec<Sort> = variables.map(|variable| terms.sort(variable)).collect();
    let width = |sort: &Sort| match sort {
        Sort::Bool => 1,
        Sort::BitVec(width) => *width,
    };
    let bits: u32 = sorts.iter().map(width).sum();
    if bits > limit {
        return None;
    }
    let valuation = |mut number: u128| {
        let value = |sort: &Sort| {
            let bits = number & ((1 << width(sort)) - 1);
            number >>= width(sort);
            match sort {
                Sort::Bool => Value::Bool(bits == 1),
                Sort::BitVec(width) => Value::BitVec(*width, bits),
            }
        };
        sorts.iter().map(value).collect()
    };
    Some((0..1u128 << bits).map(valuation).collect())
}

/// Encodes a program under a reduction of `instrument`.
pub fn reduced(mut program: Program, reduction: Reduction) -> Encoded {
    let instances = instantiate(&program, &Bounds::default());
    let points_to = PointsTo::analyse(&program, &instances);
    let kinds = ConditionKind::ALL.into();
    let conditions = (&kinds, Asked::All);
    plan_under(&program, &instances, &points_to, reduction, conditions).apply(&mut program);
    encoded(program)
}

/// Checks that the encoded system reaches what the program reaches; false if one of them is too large to tell.
pub fn agrees(encoded: &Encoded, limit: usize) -> bool {
    let system = &encoded.encoding.system;
    let Some(search) = search(system, limit) else {
        return false;
    };
    for trace in search.values() {
        assert_eq!(check_trace(system, trace), Ok(()));
    }
    let limits = SearchLimits {
        complete_width: 12,
        states: 2_000_000,
        ..SearchLimits::default()
    };
    let Exploration { verdict, .. } = explore(&encoded.program, &encoded.instances, &limits);
    let reached: BTreeSet<&str> = search
        .keys()
        .map(|&property| {
            system.properties[property]
                .name
                .split(' ')
                .next()
                .unwrap_or_default()
        })
        .collect();
    match verdict {
        SearchVerdict::Unsafe(_) => assert!(search.contains_key(&0), "the error is missed"),
        SearchVerdict::Safe(()) => assert_eq!(reached, BTreeSet::new()),
        SearchVerdict::Unknown(reasons) if reasons.iter().any(Incompleteness::ends_search) => {
            return false;
        }
        SearchVerdict::Unknown(reasons) => {
            let expected: BTreeSet<&str> = reasons.iter().map(limit_word).collect();
            assert_eq!(reached, expected, "{reasons:?}");
        }
    }
    if let Some(trace) = search.get(&0) {
        assert_replays(encoded, trace);
    }
    true
}

/// The first word of the name of the property that stands for a limit.
fn limit_word(reason: &Incompleteness) -> &'static str {
    match reason {
        Incompleteness::Location {
            kind: LimitMet::Undefined(_),
            ..
        } => "undefined",
        Incompleteness::Location {
            kind: LimitMet::Threads | LimitMet::Heap,
            ..
        } => "more",
        Incompleteness::Location { .. }
        | Incompleteness::Sampled { .. }
        | Incompleteness::States(_)
        | Incompleteness::Memory(_)
        | Incompleteness::Turns(_)
        | Incompleteness::Stopped(_) => panic!("unexpected {reason:?}"),
    }
}

/// Checks that the schedule of a trace reaches the error in the program.
pub fn assert_replays(encoded: &Encoded, trace: &Trace) {
    let back = &encoded.encoding.back;
    let run = back.run(
        &encoded.program,
        &encoded.reduced,
        &encoded.instances,
        trace,
    );
    let schedule = run.expect("the program follows the trace").schedule;
    let replayed = replay(&encoded.program, &encoded.instances, &schedule);
    assert!(
        matches!(replayed.end, ReplayEnd::Error { .. }),
        "{:?}\n{schedule}",
        replayed.end
    );
}
