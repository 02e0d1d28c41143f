//! The answers to what a statement leaves open: all combinations, one after the other.

use program::model::{Bits, RegisterId};

use crate::interpret::{NondeterministicChoice, Oracle};
use crate::observed::Representatives;

/// Counts through the answers to all questions of a turn.
#[derive(Debug)]
pub(super) struct Answers<'a> {
    representatives: &'a Representatives<'a>,
    questions: Vec<Question>,
    /// How many questions this run has asked, and how many of them were confirmed.
    position: usize,
    confirmed: usize,
}

#[derive(Debug)]
struct Question {
    width: u32,
    /// The current answer and the last one: positions in the list, or values if that is empty.
    next: u128,
    last: u128,
    listed: Vec<u128>,
    /// The register that receives the value, if nothing else does.
    register: Option<RegisterId>,
}

impl Question {
    fn new(choice: &NondeterministicChoice<'_>, representatives: &Representatives<'_>) -> Self {
        let listed = representatives.answers(choice).unwrap_or_default();
        let register = match *choice {
            NondeterministicChoice::Havoc { register, .. } => Some(register),
            NondeterministicChoice::Slot { .. }
            | NondeterministicChoice::Content { .. }
            | NondeterministicChoice::Result { .. } => None,
        };
        let last = if listed.is_empty() {
            Bits::mask(choice.width())
        } else {
            listed.len() as u128 - 1
        };
        Self {
            width: choice.width(),
            next: 0,
            last,
            listed,
            register,
        }
    }

    fn answer(&self) -> u128 {
        *self.listed.get(self.next as usize).unwrap_or(&self.next)
    }
}

impl<'a> Answers<'a> {
    pub(super) fn new(representatives: &'a Representatives<'a>) -> Self {
        Self {
            representatives,
            questions: Vec::new(),
            position: 0,
            confirmed: 0,
        }
    }

    pub fn restart(&mut self) {
        self.position = 0;
        self.confirmed = 0;
    }

    /// Whether this run has asked anything.
    pub fn were_asked(&self) -> bool {
        self.position > 0
    }

    /// Drops the questions whose answers make no difference.
    ///
    /// # Errors
    /// The width of a question with too many answers.
    pub fn confirm(
        &mut self,
        complete_width: u32,
        is_live: impl Fn(RegisterId) -> bool,
    ) -> Result<(), u32> {
        for question in &mut self.questions[self.confirmed..self.position] {
            if question.register.is_some_and(|register| !is_live(register)) {
                question.last = question.next;
            } else if question.listed.is_empty() && question.width > complete_width {
                return Err(question.width);
            }
        }
        self.confirmed = self.position;
        Ok(())
    }

    /// Goes on to the next combination, if there is one.
    pub fn next(&mut self) -> bool {
        while let Some(question) = self.questions.last_mut() {
            if question.next < question.last {
                question.next += 1;
                return true;
            }
            self.questions.pop();
        }
        false
    }
}

impl Oracle for Answers<'_> {
    fn choose(&mut self, choice: &NondeterministicChoice<'_>) -> u128 {
        if self.position == self.questions.len() {
            self.questions
                .push(Question::new(choice, self.representatives));
        }
        self.position += 1;
        self.questions[self.position - 1].answer()
    }
}
