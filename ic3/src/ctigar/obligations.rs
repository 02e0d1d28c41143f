//! Proof obligations: cubes that must be blocked at a level because they lead to a violation.

use std::collections::BTreeSet;

use system::term::Value;

use super::cube::Cube;

/// A cube to be blocked, and why.
#[derive(Clone, Debug)]
pub struct ProofObligation {
    /// A state from which the violation is reached, possibly by spurious steps.
    pub state: Vec<Value>,
    /// The inputs of the step to the successor, or of the violation.
    pub inputs: Vec<Value>,
    /// A set of states around `state` that all take the step into the successor's set.
    pub concrete: Cube,
    /// The abstraction of the set over the precision.
    pub cube: Cube,
    /// The obligation that this leads to; none if it leads to the violation.
    pub successor: Option<usize>,
    /// Number of steps to the violation.
    pub distance: usize,
    /// Number of those steps that may lead into the abstraction of a set only (Sec. 3 of the CTIGAR paper).
    pub spurious: usize,
    /// Whether the step to the successor may be such a step.
    pub spurious_step: bool,
    /// Whether `cube` is one of several larger ones, each of which may be blocked instead.
    pub is_choice: bool,
    /// Those that were not tried yet, the next one last.
    pub choices: Vec<Choice>,
}

/// What may be blocked instead of an obligation's cube: a larger set of states around the same one, and its abstraction.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The set.
    pub concrete: Cube,
    /// Its abstraction over the precision.
    pub cube: Cube,
}

/// The obligations that are open, lowest level first; of one level those nearest to the violation.
#[derive(Debug, Default)]
pub struct ProofObligations {
    all: Vec<ProofObligation>,
    open: BTreeSet<(usize, usize, usize)>,
}

impl ProofObligations {
    /// Adds an obligation at a level.
    pub fn add(&mut self, obligation: ProofObligation, level: usize) {
        self.all.push(obligation);
        self.reopen(self.all.len() - 1, level);
    }

    /// Puts an obligation back, at a level.
    pub fn reopen(&mut self, number: usize, level: usize) {
        self.open.insert((level, self.all[number].distance, number));
    }

    /// Takes the next obligation, by its number, and its level.
    pub fn next(&mut self) -> Option<(usize, usize)> {
        self.open
            .pop_first()
            .map(|(level, _, number)| (number, level))
    }

    /// An obligation.
    pub fn get(&self, number: usize) -> &ProofObligation {
        &self.all[number]
    }

    /// The states of the obligations, latest first.
    pub fn states(&self) -> impl Iterator<Item = &[Value]> {
        self.all
            .iter()
            .rev()
            .map(|obligation| &obligation.state[..])
    }

    /// Replaces the abstraction of an obligation after the precision grew.
    pub fn refine(&mut self, number: usize, cube: Cube) {
        self.all[number].cube = cube;
    }

    /// Lets one of these cubes be blocked instead of an obligation's.
    pub fn widen(&mut self, number: usize, mut choices: Vec<Choice>) {
        choices.reverse();
        self.all[number].choices = choices;
    }

    /// Makes an obligation the next of those that may be blocked instead; `false` if there is none.
    pub fn next_choice(&mut self, number: usize) -> bool {
        let obligation = &mut self.all[number];
        let Some(choice) = obligation.choices.pop() else {
            return false;
        };
        obligation.is_choice = true;
        obligation.concrete = choice.concrete;
        obligation.cube = choice.cube;
        true
    }

    /// The obligation and those that it leads to, up to the violation.
    pub fn chain(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(number), |&number| self.all[number].successor)
    }

    /// Drops an obligation and all that lead to it.
    pub fn close(&mut self, closed: usize) {
        let mut open = std::mem::take(&mut self.open);
        open.retain(|&(_, _, number)| self.chain(number).all(|link| link != closed));
        self.open = open;
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.all.clear();
        self.open.clear();
    }
}
