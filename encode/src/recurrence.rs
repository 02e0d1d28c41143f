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
