//! The kept states whose successors were not looked at, and which of them is next.

use std::collections::VecDeque;

/// States between two changes of order: enough of them share most of their parts, so that loading one is cheap.
const TURN: u64 = 64;

/// States to look at. Depth-first search alone may stay for long in a part of the state space that has no violation, breadth-first
/// search alone never reaches violations far away. So they take turns, each with the states that it has found itself.
#[derive(Debug)]
pub(super) struct Frontier {
    /// Found by depth-first search, the newest last.
    deep: VecDeque<u32>,
    /// Found by breadth-first search, the newest last.
    broad: VecDeque<u32>,
    /// Whether breadth-first search has all turns.
    is_broad: bool,
    taken: u64,
}

impl Frontier {
    /// No state. With `is_broad`, the states next to the first one come first.
    pub(super) fn new(is_broad: bool) -> Self {
        Self {
            deep: VecDeque::new(),
            broad: VecDeque::new(),
            is_broad,
            taken: 0,
        }
    }

    /// Adds a state that was found when the one taken last was looked at.
    pub(super) fn push(&mut self, state: u32) {
        if self.is_broad_turn() {
            self.broad.push_back(state);
        } else {
            self.deep.push_back(state);
        }
    }

    /// Takes the next state. One search goes on with what the other one has left if it has nothing itself.
    pub(super) fn pop(&mut self) -> Option<u32> {
        self.taken += 1;
        if self.is_broad_turn() {
            let own = self.broad.pop_front();
            own.or_else(|| self.deep.pop_front())
        } else {
            let own = self.deep.pop_back();
            own.or_else(|| self.broad.pop_back())
        }
    }

    /// The memory taken, in bytes.
    pub(super) fn bytes(&self) -> usize {
        (self.deep.capacity() + self.broad.capacity()) * size_of::<u32>()
    }

    fn is_broad_turn(&self) -> bool {
        self.is_broad || self.taken / TURN % 2 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many states are looked at until a goal is met, in a tree without leaves in which state `n` leads to `2n + 1` and `2n + 2`.
    fn taken_until(goal: u32, is_broad: bool) -> Option<u32> {
        let mut frontier = Frontier::new(is_broad);
        frontier.push(0);
        for taken in 1..10_000 {
            let state = frontier.pop().expect("every state leads on");
            if state == goal {
                return Some(taken);
            }
            let next = state.wrapping_mul(2).wrapping_add(1);
            frontier.push(next);
            frontier.push(next.wrapping_add(1));
        }
        None
    }

    #[test]
    fn what_is_near_is_met_beside_an_endless_path() {
        assert!(taken_until(7, false).is_some());
    }

    #[test]
    fn what_is_far_away_on_the_first_path_is_met() {
        let far = (1 << 25) - 2;
        assert!(taken_until(far, false).is_some());
        assert_eq!(taken_until(far, true), None);
    }
}
