//! Runs that go on for ever, as runs into a bad state (liveness to safety).
//!
//! There are finitely many states, so a run goes on for ever if and only if some run comes back to a state in which it was before. The
//! system records a state at some time, once, and remembers that it did: it is bad to be in that state again. A proof that this does not
//! happen has an invariant about the recorded state and the current one, which holds for all pairs of states of a run: a transition
//! invariant. That no state is related to itself says all that rankings say, and numbers that wrap around are none of its concern.
//!
//! A thread that goes on for ever comes to the head of a loop of its automaton again and again. So states are recorded only in the
//! moment in which a thread moves from such a head.
//!
//! Under fair scheduling every thread that is able to move again and again has to move again and again. For that the system notes, too,
//! of each thread whether it has moved and whether it was able to since the state was recorded.

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::InstanceId;
use program::model::LocationId;
use system::term::{Sort, Term, Terms};
use system::transition_system::StateVariable;

use crate::execute::Stop;
use crate::transition::Block;

/// What a thread does in a transition.
pub struct Mover {
    /// Its name.
    pub name: String,
    /// Boolean term over the inputs: it is scheduled.
    pub scheduled: Term,
    /// Boolean term over the state that implies that it could be.
    pub able: Term,
}

/// What is added to a system.
pub struct Recurrence {
    /// The new variables of the state; the first one says whether a state is recorded.
    pub state: Vec<StateVariable>,
    /// The new input: whether to record this state.
    pub input: Term,
    /// Boolean term over the state: the recorded state is the current one, and the run between them may go on for ever.
    pub recurs: Term,
}

impl Recurrence {
    /// Adds to a system with these variables what finds recurring states. `at_head` is a Boolean term over state and inputs that holds
    /// again and again in every run that goes on for ever. Only runs count that are fair to all `movers`.
    pub fn new(
        terms: &mut Terms,
        variables: &[StateVariable],
        at_head: Term,
        movers: &[Mover],
    ) -> Self {
        let input = terms.symbol("record", Sort::Bool);
        let recorded = terms.symbol("recorded", Sort::Bool);
        let not_yet = terms.not(recorded);
        let now = terms.and_all([not_yet, input, at_head]);
        let never = terms.bool(false);
        let since = terms.or(recorded, now);
        let mut state = vec![StateVariable {
            current: recorded,
            initial: Some(never),
            next: Some(since),
        }];
        let mut conditions = vec![recorded];
        for variable in variables {
            let current = variable.current;
            let name = terms.symbol_name(current).unwrap_or_default();
            let copy = terms.symbol(format!("{name} recorded"), terms.sort(current));
            state.push(StateVariable {
                current: copy,
                initial: None,
                next: Some(terms.ite(now, current, copy)),
            });
            match terms.sort(current) {
                // What grows or shrinks is never the same again. So engines look for these orders first.
                Sort::BitVec(4..) => {
                    for (less, more) in [(current, copy), (copy, current)] {
                        let differs = terms.unsigned_less(less, more);
                        conditions.push(terms.not(differs));
                    }
                }
                Sort::BitVec(_) | Sort::Bool => conditions.push(terms.equal(current, copy)),
            }
        }
        for mover in movers {
            let mut since_then = |what: &str, holds: Term| {
                let noted = terms.symbol(format!("{} {what}", mover.name), Sort::Bool);
                let noted_or_now = terms.or(noted, holds);
                state.push(StateVariable {
                    current: noted,
                    initial: Some(never),
                    next: Some(terms.and(since, noted_or_now)),
                });
                noted
            };
            let moved = since_then("moved", mover.scheduled);
            let able = since_then("was able", mover.able);
            let unable = terms.not(able);
            conditions.push(terms.or(moved, unable));
        }
        Self {
            state,
            input,
            recurs: terms.and_all(conditions),
        }
    }
}

/// Cut points of which every cycle of blocks has one: the heads of loops, by thread.
pub fn heads(blocks: &[Block]) -> BTreeSet<(InstanceId, LocationId)> {
    let mut successors: BTreeMap<(InstanceId, LocationId), Vec<LocationId>> = BTreeMap::new();
    for block in blocks {
        let targets = block.targets.iter().filter_map(|&(stop, _)| match stop {
            Stop::Cut(target) => Some(target),
            Stop::Sink(_) => None,
        });
        successors.insert((block.instance, block.source), targets.collect());
    }
    let mut heads = BTreeSet::new();
    let mut finished = BTreeSet::new();
    for &root in successors.keys() {
        let instance = root.0;
        let mut on_path = BTreeSet::from([root]);
        let mut path = vec![(root, 0)];
        while let Some((place, next)) = path.last_mut() {
            let targets = successors.get(place);
            let Some(&target) = targets.and_then(|targets| targets.get(*next)) else {
                on_path.remove(place);
                finished.insert(*place);
                path.pop();
                continue;
            };
            *next += 1;
            let target = (instance, target);
            if on_path.contains(&target) {
                heads.insert(target);
            } else if !finished.contains(&target) {
                on_path.insert(target);
                path.push((target, 0));
            }
        }
    }
    heads
}

#[cfg(test)]
mod tests {
    use system::testing::Random;

    use super::*;

    /// Blocks of threads as the edges between their cut points.
    fn blocks(edges: &[(u32, u32, Vec<u32>)]) -> Vec<Block> {
        let always = Terms::new().bool(true);
        let block = |(instance, source, targets): &(u32, u32, Vec<u32>)| Block {
            instance: InstanceId(*instance),
            source: LocationId::from_u32(*source),
            targets: targets
                .iter()
                .map(|&target| (Stop::Cut(LocationId::from_u32(target)), always))
                .collect(),
            guard: always,
            updates: BTreeMap::new(),
        };
        edges.iter().map(block).collect()
    }

    #[test]
    fn every_cycle_has_a_head_and_no_other_place_is_one() {
        let none = blocks(&[(0, 0, vec![1, 2]), (0, 1, vec![2]), (0, 2, vec![])]);
        assert!(heads(&none).is_empty());
        // Places of another thread with the same numbers form no cycle with them.
        let apart = blocks(&[
            (0, 0, vec![1]),
            (0, 1, vec![]),
            (1, 1, vec![0]),
            (1, 0, vec![]),
        ]);
        assert!(heads(&apart).is_empty());
        let itself = blocks(&[(0, 0, vec![1]), (0, 1, vec![1])]);
        let head = (InstanceId(0), LocationId::from_u32(1));
        assert_eq!(heads(&itself), BTreeSet::from([head]));
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let count = 2 + random.below(6) as u32;
            let edges = (0..count).map(|source| {
                let targets = (0..random.below(3)).map(|_| random.below(count as usize) as u32);
                (0, source, targets.collect::<Vec<u32>>())
            });
            let edges: Vec<(u32, u32, Vec<u32>)> = edges.collect();
            let found = heads(&blocks(&edges));
            let is_head =
                |place: u32| found.contains(&(InstanceId(0), LocationId::from_u32(place)));
            // Without heads, places that lead nowhere can be taken away until none is left.
            let mut left: Vec<u32> = (0..count).filter(|&place| !is_head(place)).collect();
            loop {
                let before = left.clone();
                left.retain(|&place| {
                    let mut targets = edges[place as usize].2.iter();
                    targets.any(|target| before.contains(target))
                });
                if left.len() == before.len() {
                    break;
                }
            }
            assert!(left.is_empty(), "seed {seed}: {edges:?}");
        }
    }
}
