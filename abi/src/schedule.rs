//! A run of a program as a printable, replayable value.
//!
//! Text form, one event a line: `t1 5` lets thread instance 1 execute five statements; `t1 3 : 7 0x2a` does the same and
//! supplies the nondeterministic values, in the order in which the statements ask for them. `#` starts a comment. In a run that goes
//! on for ever a line `repeat` comes before the events that are repeated: all that follow.

use std::fmt;
use std::str::FromStr;

use crate::ids::InstanceId;

/// A run: which instance executes how many statements, with which nondeterministic values, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The events in order; neighbours may name the same thread.
    pub events: Vec<Event>,
    /// How many events come before those that are repeated for ever, if the run goes on for ever.
    pub repeats_from: Option<usize>,
}

/// What comes before the events that are repeated.
const REPEAT: &str = "repeat";

/// Some consecutive statements of one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The thread that runs.
    pub instance: InstanceId,
    /// How many statements (automaton edges) it executes.
    pub steps: u32,
    /// The nondeterministic values that these statements consume, in order.
    pub inputs: Vec<u128>,
}

/// Why a text is no schedule.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("line {line}: {reason}: expected `t<thread> <steps> [: <value>...]`, or once `repeat`")]
pub struct ParseError {
    /// Line number from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: &'static str,
}

impl Schedule {
    /// Appends a statement of `instance` with its inputs; see [`Schedule::push`].
    pub fn push_step(&mut self, instance: InstanceId, inputs: &[u128]) {
        self.push(Event {
            instance,
            steps: 1,
            inputs: inputs.to_vec(),
        });
    }

    /// Appends an event, joining it to the last one when that is the same thread's.
    pub fn push(&mut self, event: Event) {
        let repeats_from_here = self.repeats_from == Some(self.events.len());
        match self.events.last_mut() {
            Some(last) if last.instance == event.instance && !repeats_from_here => {
                last.steps += event.steps;
                last.inputs.extend(event.inputs);
            }
            Some(_) | None => self.events.push(event),
        }
    }

    /// Says that what is appended from now on is repeated for ever.
    pub fn repeat_from_here(&mut self) {
        self.repeats_from = Some(self.events.len());
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, event) in self.events.iter().enumerate() {
            if self.repeats_from == Some(position) {
                writeln!(f, "{REPEAT}")?;
            }
            write!(f, "{} {}", event.instance, event.steps)?;
            if !event.inputs.is_empty() {
                write!(f, " :")?;
                for value in &event.inputs {
                    write!(f, " {value}")?;
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl FromStr for Schedule {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut schedule = Self::default();
        let mut repeat_at = None;
        for (index, line) in text.lines().enumerate() {
            let malformed = |reason| ParseError {
                line: index + 1,
                reason,
            };
            let content = line.split('#').next().unwrap_or_default().trim();
            if content == REPEAT {
                if schedule.repeats_from.is_some() {
                    return Err(malformed("a second `repeat`"));
                }
                schedule.repeat_from_here();
                repeat_at = Some(malformed("nothing after `repeat`"));
            } else if !content.is_empty() {
                schedule
                    .events
                    .push(parse_event(content).map_err(malformed)?);
                repeat_at = None;
            }
        }
        match repeat_at {
            Some(malformed) => Err(malformed),
            None => Ok(schedule),
        }
    }
}

fn parse_event(content: &str) -> Result<Event, &'static str> {
    let (head, values) = content.split_once(':').unwrap_or((content, ""));
    let mut words = head.split_whitespace();
    let instance = words
        .next()
        .and_then(|word| word.strip_prefix('t'))
        .and_then(|digits| digits.parse().ok())
        .ok_or("no thread")?;
    let steps = words
        .next()
        .and_then(|word| word.parse().ok())
        .ok_or("no number of steps")?;
    if words.next().is_some() {
        return Err("text after the number of steps");
    }
    let inputs = values
        .split_whitespace()
        .map(parse_value)
        .collect::<Option<_>>()
        .ok_or("no number among the values")?;
    Ok(Event {
        instance: InstanceId(instance),
        steps,
        inputs,
    })
}

fn parse_value(word: &str) -> Option<u128> {
    match word.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn printing_and_parsing_are_inverse(
            events in prop::collection::vec((0u32..9, 1u32..99, prop::collection::vec(any::<u128>(), 0..4)), 0..9),
            repeats_from in prop::option::of(0usize..9),
        ) {
            let events: Vec<Event> = events
                .into_iter()
                .map(|(thread, steps, inputs)| Event { instance: InstanceId(thread), steps, inputs })
                .collect();
            let repeats_from = repeats_from.filter(|&from| from < events.len());
            let schedule = Schedule { events, repeats_from };
            prop_assert_eq!(schedule.to_string().parse::<Schedule>(), Ok(schedule));
        }
    }

    #[test]
    fn a_malformed_line_is_named() {
        let error = "t0 3\nt1 x".parse::<Schedule>().expect_err("no number");
        assert_eq!((error.line, error.reason), (2, "no number of steps"));
        assert_eq!(
            "0x1".parse::<Schedule>().expect_err("no thread").reason,
            "no thread"
        );
    }

    #[test]
    fn something_is_repeated_once() {
        let reason = |text: &str| text.parse::<Schedule>().expect_err("malformed").reason;
        assert_eq!(reason("t0 1\nrepeat\n"), "nothing after `repeat`");
        assert_eq!(reason("repeat\nt0 1\nrepeat\nt0 1"), "a second `repeat`");
        let mut schedule = Schedule::default();
        schedule.push_step(InstanceId(0), &[]);
        schedule.repeat_from_here();
        schedule.push_step(InstanceId(0), &[]);
        assert_eq!(schedule.to_string(), "t0 1\nrepeat\nt0 1\n");
    }

    #[test]
    fn comments_and_hexadecimal_values_are_read() {
        let schedule = "# run\nt2 1 : 0xff # byte\n"
            .parse::<Schedule>()
            .expect("well formed");
        assert_eq!(
            schedule.events,
            [Event {
                instance: InstanceId(2),
                steps: 1,
                inputs: vec![255]
            }]
        );
    }
}
