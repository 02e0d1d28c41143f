//! Enumerates the values of nondeterministic choices.

use std::collections::BTreeSet;

use super::SearchLimits;
use crate::interpret::{NondeterministicChoice, Observation, Oracle};
use crate::observed::Representatives;
use program::model::{Bits, Instances, Operand, Program};
use program::names::Names;

/// Runs the same step again and again, with every combination of answers: an odometer whose last wheel turns fastest.
#[derive(Debug)]
pub(super) struct Choices<'a> {
    names: Names<'a>,
    representatives: Representatives<'a>,
    /// Every constant of the program as a signed number, and its neighbours.
    constants: BTreeSet<i128>,
    wheels: Vec<ChoiceEnumerator>,
    /// How many answers the current run has consumed.
    position: usize,
    /// What the statements since the last call of [`Choices::take_touched`] changed.
    touched: Touched,
    /// A choice of the current statement that was not enumerated completely: its width, and what it gives a value to.
    sampled: Option<(u32, String)>,
}

/// Which parts of the state were changed, beside the thread that moved.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Touched {
    pub(super) memory: bool,
    pub(super) threads: bool,
}

/// The answers to one question.
#[derive(Debug)]
enum ChoiceEnumerator {
    /// The numbers from the first to the second, both included.
    All(u128, u128),
    /// The first is the position in the second.
    List(usize, Vec<u128>),
}

impl<'a> Choices<'a> {
    pub(super) fn new(
        program: &'a Program,
        instances: &'a Instances,
        limits: &SearchLimits,
    ) -> Self {
        let mut constants = BTreeSet::from([0, 1, -1]);
        for template in program.templates.values() {
            for edge in template.edges.values() {
                edge.statement.for_each_operand(|operand| {
                    if let Operand::Constant(bits) = operand {
                        constants.extend([-1, 0, 1].map(|delta| bits.signed().wrapping_add(delta)));
                    }
                });
            }
        }
        Self {
            names: Names::new(program, instances),
            representatives: Representatives::new(
                program,
                instances,
                limits.complete_width,
                limits.distinctions.clone(),
            ),
            constants,
            wheels: Vec::new(),
            position: 0,
            touched: Touched::default(),
            sampled: None,
        }
    }

    /// Starts the first run of a step.
    pub(super) fn reset(&mut self) {
        self.wheels.clear();
        self.position = 0;
    }

    /// Starts the next run of the step; `false` if all combinations were run.
    pub(super) fn next(&mut self) -> bool {
        self.position = 0;
        while let Some(wheel) = self.wheels.last_mut() {
            if wheel.turn() {
                return true;
            }
            self.wheels.pop();
        }
        false
    }

    /// The answers given in this run, in order.
    pub(super) fn inputs(&self) -> Vec<u128> {
        self.wheels[..self.position]
            .iter()
            .map(ChoiceEnumerator::value)
            .collect()
    }

    /// Whether this run has given answers.
    pub(super) fn has_answered(&self) -> bool {
        self.position > 0
    }

    /// Which parts of the state were changed since the last call.
    pub(super) fn take_touched(&mut self) -> Touched {
        std::mem::take(&mut self.touched)
    }

    /// The width of a choice since the last call that was not enumerated completely, and what it gives a value to.
    pub(super) fn take_sampled(&mut self) -> Option<(u32, String)> {
        self.sampled.take()
    }

    fn wheel(&mut self, choice: &NondeterministicChoice<'_>) -> ChoiceEnumerator {
        match self.representatives.answers(choice) {
            Some(values) => ChoiceEnumerator::List(0, values),
            None => self.any(choice),
        }
    }

    /// All values, or some if they are too many.
    fn any(&mut self, choice: &NondeterministicChoice<'_>) -> ChoiceEnumerator {
        let width = choice.width();
        if width <= self.representatives.complete_width {
            return ChoiceEnumerator::All(0, Bits::mask(width));
        }
        self.sampled = Some((width, choice.describe(&self.names)));
        self.some_values(width)
    }

    fn some_values(&self, width: u32) -> ChoiceEnumerator {
        let minimum = Bits::new(width, 1 << (width - 1));
        let maximum = Bits::new(width, Bits::mask(width) >> 1);
        let fits = |value: i128| (minimum.signed()..=maximum.signed()).contains(&value);
        let fitting = self
            .constants
            .iter()
            .filter(|&&value| fits(value))
            .map(|&value| value as u128);
        let values: BTreeSet<u128> = fitting
            .map(|value| Bits::new(width, value).value)
            .chain([minimum.value, maximum.value])
            .collect();
        ChoiceEnumerator::List(0, values.into_iter().collect())
    }
}

impl Oracle for Choices<'_> {
    fn choose(&mut self, choice: &NondeterministicChoice<'_>) -> u128 {
        if self.position == self.wheels.len() {
            let wheel = self.wheel(choice);
            self.wheels.push(wheel);
        }
        match choice {
            NondeterministicChoice::Content { .. } => self.touched.memory = true,
            NondeterministicChoice::Result { .. } => self.touched.threads = true,
            NondeterministicChoice::Havoc { .. } | NondeterministicChoice::Slot { .. } => {}
        }
        self.position += 1;
        self.wheels[self.position - 1].value()
    }

    fn observe(&mut self, event: Observation) {
        match event {
            Observation::Write { .. }
            | Observation::Uninitialised(_)
            | Observation::Died(_)
            | Observation::Allocated { .. }
            | Observation::Freed(_) => {
                self.touched.memory = true;
            }
            Observation::Started(_) | Observation::Joined(_) | Observation::Detached(_) => {
                self.touched.threads = true;
            }
            Observation::Read { .. }
            | Observation::Acquired { .. }
            | Observation::Released { .. }
            | Observation::Refused { .. } => {}
        }
    }
}

impl ChoiceEnumerator {
    fn value(&self) -> u128 {
        match self {
            Self::All(value, _) => *value,
            Self::List(position, values) => values[*position],
        }
    }

    /// Goes on to the next answer, if there is one.
    fn turn(&mut self) -> bool {
        match self {
            Self::All(value, last) => {
                let more = *value < *last;
                *value += u128::from(more);
                more
            }
            Self::List(position, values) => {
                *position += 1;
                *position < values.len()
            }
        }
    }
}
