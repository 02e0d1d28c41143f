//! Scheduling policies: which thread has the next turn.

use std::collections::VecDeque;
use std::iter::Peekable;
use std::vec::IntoIter;

use abi::ids::{InstanceId, SiteId};
use abi::turns::{Allocation, Turn, Turns};

use crate::state::{State, ThreadStatus};

/// A way to choose threads and inputs.
#[derive(Debug)]
pub enum Policy {
    /// Any thread that can go on, any input.
    Chance(RandomPolicy),
    /// As in a counterexample.
    Replay(Box<Replay>),
}

/// The thread that has the next turn; `None` if none can go on, or why the turns cannot be followed.
pub type Next = Result<Option<InstanceId>, String>;

impl Policy {
    /// Chooses.
    pub fn next(&mut self, state: &State) -> Next {
        match self {
            Self::Chance(chance) => Ok(chance.next(state)),
            Self::Replay(replay) => replay.next(state).map(Some),
        }
    }

    /// The number of the next thread that is created.
    pub fn created(&mut self, state: &State) -> Result<InstanceId, String> {
        match self {
            Self::Chance(_) => Ok(state.unused()),
            Self::Replay(replay) => replay.created(),
        }
    }

    /// A nondeterministic value, asked for by the call at a site if that is known.
    pub fn input(&mut self, site: Option<SiteId>) -> u64 {
        match self {
            Self::Chance(chance) => chance.input(),
            Self::Replay(replay) => replay.input(site),
        }
    }

    /// What the call at a site allocates, if that is told.
    pub fn allocation(&mut self, site: SiteId) -> Option<Allocation> {
        match self {
            Self::Chance(_) => None,
            Self::Replay(replay) => replay.allocation(site),
        }
    }

    /// Whether the turn ends before the access at a site.
    pub fn races(&self, site: SiteId) -> bool {
        match self {
            Self::Chance(_) => false,
            Self::Replay(replay) => replay.race == Some(site),
        }
    }
}

/// Pseudo-random numbers, by Marsaglia's xorshift.
#[derive(Debug)]
pub struct RandomPolicy(u64);

impl RandomPolicy {
    /// Equal seeds give equal choices.
    pub fn new(seed: u64) -> Self {
        // Neighbouring seeds must differ in many bits, and no state may be zero.
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Every thread that can go on is as likely: so no thread that spins keeps another one from running for ever.
    fn next(&mut self, state: &State) -> Option<InstanceId> {
        let ready: Vec<InstanceId> = state.ready().collect();
        let count = u64::try_from(ready.len()).ok().filter(|count| *count > 0)?;
        let chosen = usize::try_from(self.number() % count).ok()?;
        ready.get(chosen).copied()
    }

    /// Positive as an `int`, because inputs that stand for `rand` or `getpid` are assumed to be.
    fn input(&mut self) -> u64 {
        self.number() >> 33 | 1 << 8
    }
}

/// Follows turns.
#[derive(Debug)]
pub struct Replay {
    turns: Peekable<IntoIter<Turn>>,
    /// How many turns were begun.
    begun: usize,
    end: InstanceId,
    /// What is left of the turn that was begun last.
    created: VecDeque<InstanceId>,
    inputs: VecDeque<(SiteId, u64)>,
    allocations: VecDeque<Allocation>,
    race: Option<SiteId>,
}

impl Replay {
    /// Follows these turns from the first one on, which is the main thread's.
    pub fn new(turns: Turns) -> Self {
        let mut replay = Self {
            turns: turns.turns.into_iter().peekable(),
            begun: 0,
            end: turns.end,
            created: VecDeque::new(),
            inputs: VecDeque::new(),
            allocations: VecDeque::new(),
            race: None,
        };
        replay.begin();
        replay
    }

    /// Whether the run ends in this thread.
    pub fn ends_in(&self, thread: InstanceId) -> bool {
        self.end == thread && self.turns.len() == 0
    }

    fn begin(&mut self) {
        if let Some(turn) = self.turns.next() {
            self.begun += 1;
            self.created = turn.created.into();
            self.inputs = turn.inputs.into();
            self.allocations = turn.allocations.into();
            self.race = turn.race;
        }
    }

    fn next(&mut self, state: &State) -> Result<InstanceId, String> {
        let Some(turn) = self.turns.peek() else {
            return Err(self.explain("the last turn ends without the violation", state));
        };
        let (thread, place) = (turn.instance, turn.place);
        if state.status(thread) != Some(ThreadStatus::External(place)) {
            let message = format!("the next turn is `{thread} {place}`");
            return Err(self.explain(&message, state));
        }
        self.begin();
        Ok(thread)
    }

    fn created(&mut self) -> Result<InstanceId, String> {
        let thread = self.created.pop_front();
        thread.ok_or_else(|| format!("at turn {}: no thread is created there", self.begun))
    }

    /// What the model does not look at may be anything.
    fn input(&mut self, site: Option<SiteId>) -> u64 {
        let expected = self.inputs.front().map(|&(at, _)| at);
        if expected.is_none() || expected != site {
            return 0;
        }
        self.inputs.pop_front().map_or(0, |(_, value)| value)
    }

    fn allocation(&mut self, site: SiteId) -> Option<Allocation> {
        let next = self.allocations.front()?;
        (next.site == site).then(|| self.allocations.pop_front())?
    }

    fn explain(&self, what: &str, state: &State) -> String {
        format!("after turn {}: {what}, and {state}", self.begun)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use abi::turns::ExternalLocation;

    const OTHER: InstanceId = InstanceId(1);

    fn replay(text: &str) -> Replay {
        Replay::new(text.parse().expect("well formed"))
    }

    fn two_threads(place: ExternalLocation) -> State {
        let mut state = State::new();
        state.set(
            InstanceId::MAIN,
            ThreadStatus::External(ExternalLocation::Yield(SiteId(7))),
        );
        state.set(OTHER, ThreadStatus::External(place));
        state
    }

    #[test]
    fn turns_are_given_in_order_and_only_to_threads_that_are_there() {
        let mut replay = replay("t0 start +t1\nt1 start\nt0 7\nend t0\n");
        assert_eq!(replay.created(), Ok(OTHER));
        assert!(replay.created().is_err());
        assert_eq!(
            replay.next(&two_threads(ExternalLocation::Start)),
            Ok(OTHER)
        );
        assert!(!replay.ends_in(InstanceId::MAIN));
        let state = two_threads(ExternalLocation::Yield(SiteId(9)));
        assert_eq!(replay.next(&state), Ok(InstanceId::MAIN));
        assert!(replay.ends_in(InstanceId::MAIN) && !replay.ends_in(OTHER));
        let message = replay.next(&state).expect_err("no turn is left");
        assert!(
            message.starts_with("after turn 3: the last turn ends"),
            "{message}"
        );
    }

    #[test]
    fn a_thread_elsewhere_is_named() {
        let mut replay = replay("t0 start\nt1 8\nend t1\n");
        let message = replay
            .next(&two_threads(ExternalLocation::Start))
            .expect_err("t1 is elsewhere");
        assert_eq!(
            message,
            "after turn 1: the next turn is `t1 8`, and t0 is at the yield with site 7, t1 is at its start"
        );
    }

    #[test]
    fn inputs_belong_to_their_calls() {
        let mut replay = replay("t0 start 5=70 6=80\nend t0\n");
        let mut at = |site| replay.input(Some(SiteId(site)));
        assert_eq!([at(4), at(5), at(5), at(6), at(6)], [0, 70, 0, 80, 0]);
    }

    #[test]
    fn allocations_belong_to_their_calls() {
        let mut replay = replay("t0 start 5@1:8 6@2:4\nend t0\n");
        let mut at = |site| Some(replay.allocation(SiteId(site))?.place);
        assert_eq!([at(4), at(5), at(5), at(6)], [None, Some(1), None, Some(2)]);
    }

    #[test]
    fn chance_gives_everybody_a_turn_and_repeats_itself() {
        let state = two_threads(ExternalLocation::Start);
        let draw = |seed| {
            let mut chance = RandomPolicy::new(seed);
            (0..40).map(|_| chance.next(&state)).collect::<Vec<_>>()
        };
        assert_eq!(draw(3), draw(3));
        assert_ne!(draw(3), draw(4));
        assert!(
            [InstanceId::MAIN, OTHER]
                .iter()
                .all(|thread| draw(3).contains(&Some(*thread)))
        );
    }
}
