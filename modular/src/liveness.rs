//! What variables of threads are where they are live.
//!
//! A variable of a thread may hold what nothing reads any more, and a register holds one value of the program here and another one there.
//! Views tell these apart: each is the variable at some places of the thread, between which what it holds is carried, and zero elsewhere.
//! Nothing depends on them but what is tracked.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::unionfind::UnionFind;
use rustc_hash::{FxHashMap, FxHashSet};
use system::term::{Node, Term, Terms, Value};

use crate::threads::{Move, ThreadedSystem};

/// Moves of larger systems are not looked at: moves times terms.
const MOST_LOOKED_AT: usize = 100_000_000;

/// A variable where it is live.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct View {
    /// The variable, by its position in the state.
    pub(crate) variable: usize,
    /// The place of its thread, by its position in the state.
    pub(crate) place: usize,
    /// Where the variable is looked at.
    pub(crate) places: BTreeSet<Value>,
    /// The variable at these places; zero elsewhere.
    pub(crate) term: Term,
}

impl View {
    /// Its value in a state, which is given by position.
    pub(crate) fn value(&self, state: &[Value]) -> Value {
        match self.places.contains(&state[self.place]) {
            true => state[self.variable],
            false => Value::zero(state[self.variable].sort()),
        }
    }
}

/// The views of local variables that are not live everywhere.
pub(crate) fn views(threaded: &ThreadedSystem, terms: &mut Terms) -> Vec<View> {
    let system = &threaded.system;
    let moves = threaded.threads.iter().map(|thread| thread.moves.len());
    if moves.sum::<usize>().saturating_mul(terms.len()) > MOST_LOOKED_AT {
        return Vec::new();
    }
    let properties = system.properties.iter().map(|property| property.bad);
    let constraints = system.invariant_constraints.iter().copied();
    let roots: Vec<Term> = properties.chain(constraints).collect();
    let always: FxHashSet<Term> = terms.cone(&roots).into_iter().collect();
    let variables = system.state.iter().map(|variable| variable.current);
    let positions: FxHashMap<Term, usize> = variables.zip(0..).collect();
    let mut views = Vec::new();
    for (thread, part) in threaded.threads.iter().enumerate() {
        let Some(place) = part.place.and_then(|place| positions.get(&place).copied()) else {
            continue;
        };
        let Some(flow) = Flow::of(threaded, terms, thread, place) else {
            continue;
        };
        for (variable, owner) in threaded.owners.iter().enumerate() {
            let current = system.state[variable].current;
            if *owner != Some(thread) || variable == place || always.contains(&current) {
                continue;
            }
            let webs = flow.webs(current);
            if webs.len() == 1 && webs[0].len() == flow.places.len() {
                continue;
            }
            for places in webs {
                let term = at_places(terms, system.state[place].current, &places, current);
                views.push(View {
                    variable,
                    place,
                    places,
                    term,
                });
            }
        }
    }
    views
}

/// A variable at some places, and zero elsewhere.
fn at_places(terms: &mut Terms, place: Term, places: &BTreeSet<Value>, variable: Term) -> Term {
    let mut here = Vec::with_capacity(places.len());
    for &value in places {
        let value = terms.constant(value);
        here.push(terms.equal(place, value));
    }
    let is_here = terms.or_all(here);
    let zero = terms.constant(Value::zero(terms.sort(variable)));
    terms.ite(is_here, variable, zero)
}

/// How a thread moves from place to place.
struct Flow {
    places: Vec<Value>,
    /// By moves.
    accesses: Vec<Accesses>,
    steps: Vec<Step>,
}

/// A move between two places, all by their numbers.
struct Step {
    by: usize,
    from: usize,
    to: usize,
}

/// Variables that a move accesses.
struct Accesses {
    /// What it reads, but for what only the next value of the same variable depends on.
    reads: FxHashSet<Term>,
    /// What it writes, whatever that was before.
    writes: FxHashSet<Term>,
}

impl Flow {
    /// None if it is not known where a move leads.
    fn of(threaded: &ThreadedSystem, terms: &Terms, thread: usize, place: usize) -> Option<Self> {
        let system = &threaded.system;
        let variable = system.state[place].current;
        let mut targets: BTreeMap<usize, Targets> = BTreeMap::new();
        let own = threaded.threads[thread].moves.iter();
        let others = threaded.threads.iter().enumerate();
        let others = others.filter(|&(other, _)| other != thread);
        let others = others.flat_map(|(_, other)| &other.moves);
        let others =
            others.filter(|part| part.updates.iter().any(|&(changed, _)| changed == place));
        let moves: Vec<&Move> = own.chain(others).collect();
        let mut places = BTreeSet::new();
        places.extend(Targets::of(terms, variable, system.state[place].initial?)?.places);
        let starts = moves.iter().map(|part| part.fixed(terms).remove(&variable));
        let starts: Vec<Option<Value>> = starts.collect();
        places.extend(starts.iter().flatten());
        for (number, part) in moves.iter().enumerate() {
            if let Some(&(_, after)) = part.updates.iter().find(|&&(changed, _)| changed == place) {
                let after = Targets::of(terms, variable, after)?;
                places.extend(after.places.iter().copied());
                targets.insert(number, after);
            }
        }
        let places: Vec<Value> = places.into_iter().collect();
        let numbers: FxHashMap<Value, usize> = places.iter().copied().zip(0..).collect();
        let mut steps = Vec::new();
        let accesses = moves.iter().map(|part| Accesses::of(threaded, terms, part));
        let accesses = accesses.collect();
        for (by, start) in starts.into_iter().enumerate() {
            let from: Vec<usize> = match start {
                Some(value) => vec![numbers[&value]],
                None => (0..places.len()).collect(),
            };
            for from in from {
                let mut to: Vec<usize> = Vec::new();
                let targets = targets.get(&by);
                to.extend(targets.is_none_or(|targets| targets.stays).then_some(from));
                let others = targets.into_iter().flat_map(|targets| &targets.places);
                to.extend(others.map(|place| numbers[place]));
                steps.extend(to.into_iter().map(|to| Step { by, from, to }));
            }
        }
        Some(Self {
            places,
            accesses,
            steps,
        })
    }

    /// The places at which a variable is live, those together between which its value is carried.
    fn webs(&self, variable: Term) -> Vec<BTreeSet<Value>> {
        let mut live = vec![false; self.places.len()];
        for step in &self.steps {
            live[step.from] |= self.accesses[step.by].reads.contains(&variable);
        }
        let writes = |step: &Step| self.accesses[step.by].writes.contains(&variable);
        let carries = self.steps.iter().filter(|step| !writes(step));
        let carries: Vec<&Step> = carries.collect();
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for step in &carries {
                if live[step.to] && !live[step.from] {
                    live[step.from] = true;
                    has_changed = true;
                }
            }
        }
        let mut webs = UnionFind::new(live.len());
        for step in carries {
            if live[step.from] && live[step.to] {
                webs.union(step.from, step.to);
            }
        }
        let mut found: BTreeMap<usize, BTreeSet<Value>> = BTreeMap::new();
        for (number, &place) in self.places.iter().enumerate() {
            if live[number] {
                found.entry(webs.find(number)).or_default().insert(place);
            }
        }
        found.into_values().collect()
    }
}

/// Where a move leads.
struct Targets {
    places: BTreeSet<Value>,
    /// Also to where it began.
    stays: bool,
}

impl Targets {
    /// Those of a next place; none if they are computed.
    fn of(terms: &Terms, place: Term, next: Term) -> Option<Self> {
        let mut targets = Self {
            places: BTreeSet::new(),
            stays: false,
        };
        let mut open = vec![next];
        let mut seen = FxHashSet::default();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Some(value) = terms.as_value(term) {
                targets.places.insert(value);
            } else if let Node::Ite(_, yes, no) = terms.node(term) {
                open.extend([yes, no]);
            } else if term == place {
                targets.stays = true;
            } else {
                return None;
            }
        }
        Some(targets)
    }
}

impl Accesses {
    fn of(threaded: &ThreadedSystem, terms: &Terms, part: &Move) -> Self {
        let mut reads: FxHashSet<Term> = symbols(terms, part.guard);
        let mut writes = FxHashSet::default();
        for &(position, value) in &part.updates {
            let variable = threaded.system.state[position].current;
            let mut operands = symbols(terms, value);
            if !operands.remove(&variable) {
                writes.insert(variable);
            }
            reads.extend(operands);
        }
        Self { reads, writes }
    }
}

fn symbols(terms: &Terms, root: Term) -> FxHashSet<Term> {
    let cone = terms.cone(&[root]).into_iter();
    cone.filter(|&term| terms.is_symbol(term)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::registers;

    #[test]
    fn a_register_is_looked_at_where_it_holds_something() {
        let mut registers = registers();
        let mut terms = std::mem::take(&mut registers.system.terms);
        let views = views(&registers, &mut terms);
        let of = |name: &str| -> Vec<Vec<u128>> {
            let state = &registers.system.state;
            let views = views.iter().filter(|view| {
                let variable = state[view.variable].current;
                terms.symbol_name(variable) == Some(name)
            });
            let places = views.map(|view| view.places.iter().map(|place| place.bits()).collect());
            places.collect()
        };
        assert_eq!(of("r"), [[1], [3]]);
        assert_eq!(of("s"), [[1, 2, 3]]);
        assert_eq!(of("last"), [[0; 0]; 0]);
        assert_eq!(of("alarm"), [[0; 0]; 0]);
    }
}
