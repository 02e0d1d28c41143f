//! The states of a search as text, so that the proof of safety can be stored and checked again.
//!
//! One line per item. Parts are numbered in the order of their lines, from 0:
//!
//! ```text
//! complete 8            choices of up to so many bits are enumerated
//! points SPPOS          for each template: what happens at its locations (shared, passed, own)
//! thread 100000003 2a   a thread, in hexadecimal words: location and status, result, live registers
//! memory 00000001       a memory, in hexadecimal bytes
//! state 0 0 1 0         a state: the part of each thread instance, and that of memory
//! ```
//!
//! The text is not trusted: its content is a claim that [`super::inductiveness::check`] confirms. Reading ensures that
//! the claim is about states of this program, so that the check is possible.

#[cfg(test)]
mod tests;

use std::fmt::{self, Write};

use abi::ids::InstanceId;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

use super::intern::Interner;
use super::points::SchedulingPoint;
use super::store::StateTable;
use super::{Explored, Scheduling};
use crate::interpret::Interpreter;
use program::model::{Instances, LocationId, Program, TemplateId};

/// The widest choice that a check enumerates: one of more bits would take it for ever.
const MOST_COMPLETE: u32 = 16;

/// Where a text is no set of states of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MalformedStates {
    /// Line number from 1.
    pub line: usize,
    /// What is wrong there.
    pub cause: &'static str,
}

impl fmt::Display for Explored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "complete {}", self.complete_width)?;
        for points in self.points.values() {
            f.write_str("points ")?;
            points
                .values()
                .try_for_each(|&point| f.write_char(letter(point)))?;
            f.write_char('\n')?;
        }
        self.kept
            .threads
            .write(f, "thread", |f, word| write!(f, " {word:x}"))?;
        let byte = |f: &mut fmt::Formatter<'_>, byte| write!(f, "{byte:02x}");
        self.kept.memories.write(f, "memory ", byte)?;
        self.kept
            .states
            .write(f, "state", |f, part| write!(f, " {part}"))
    }
}

impl<T: Copy + Eq + std::hash::Hash> Interner<T> {
    /// A line for each slice.
    fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        keyword: &str,
        item: impl Fn(&mut fmt::Formatter<'_>, T) -> fmt::Result,
    ) -> fmt::Result {
        (0..self.len() as u32).try_for_each(|number| {
            f.write_str(keyword)?;
            self.get(number)
                .iter()
                .try_for_each(|&value| item(f, value))?;
            f.write_char('\n')
        })
    }
}

fn letter(point: SchedulingPoint) -> char {
    match point {
        SchedulingPoint::Passed => 'P',
        SchedulingPoint::Own => 'O',
        SchedulingPoint::Shared => 'S',
    }
}

fn point(letter: char) -> Option<SchedulingPoint> {
    let mut all = [
        SchedulingPoint::Passed,
        SchedulingPoint::Own,
        SchedulingPoint::Shared,
    ]
    .into_iter();
    all.find(|&point| self::letter(point) == letter)
}

/// What is read of a text so far.
struct Reader<'a> {
    program: &'a Program,
    instances: &'a Instances,
    interpreter: &'a Interpreter<'a>,
    explored: Explored,
}

impl Explored {
    /// Reads states of a program, of a reduced one if turns are taken at its external locations. `lines` are numbered.
    ///
    /// # Errors
    /// The first line that is none of such a text, or says what cannot be of a state of the program.
    pub fn read<'t>(
        program: &Program,
        instances: &Instances,
        scheduling: Scheduling,
        lines: impl Iterator<Item = (usize, &'t str)>,
    ) -> Result<Self, MalformedStates> {
        let interpreter = Interpreter::new(program, instances);
        let mut reader = Reader {
            program,
            instances,
            interpreter: &interpreter,
            explored: Self {
                kept: StateTable::new(),
                points: PrimaryMap::new(),
                complete_width: 0,
                scheduling,
            },
        };
        let mut last = 1;
        for (line, text) in lines {
            reader
                .line(text)
                .map_err(|cause| MalformedStates { line, cause })?;
            last = line;
        }
        match reader.explored.points.len() == program.templates.len() {
            true => Ok(reader.explored),
            false => Err(MalformedStates {
                line: last,
                cause: "there are too few lines `points`",
            }),
        }
    }
}

impl Reader<'_> {
    fn line(&mut self, text: &str) -> Result<(), &'static str> {
        let (keyword, rest) = text.split_once(' ').unwrap_or((text, ""));
        let is_new = match keyword {
            "complete" => {
                let width = rest.parse().ok().filter(|&width| width <= MOST_COMPLETE);
                self.explored.complete_width = width.ok_or("a width of at most 16 is expected")?;
                true
            }
            "points" => {
                self.points(rest)?;
                true
            }
            "thread" => {
                let words = numbers(
                    rest,
                    |word| u64::from_str_radix(word, 16).ok(),
                    |word| format!("{word:x}"),
                )?;
                self.explored.kept.threads.intern(&words).1
            }
            "memory" => {
                let bytes =
                    bytes(rest).ok_or("an even number of hexadecimal digits is expected")?;
                if !self.interpreter.is_memory(&bytes) {
                    return Err("this is no memory of the program");
                }
                self.explored.kept.memories.intern(&bytes).1
            }
            "state" => {
                let parts = numbers(rest, |part| part.parse().ok(), u32::to_string)?;
                self.state(&parts)?;
                self.explored.kept.states.intern(&parts).1
            }
            _ => return Err("`complete`, `points`, `thread`, `memory` or `state` is expected"),
        };
        is_new.then_some(()).ok_or("this was said before")
    }

    fn points(&mut self, letters: &str) -> Result<(), &'static str> {
        let next = TemplateId::new(self.explored.points.len());
        let template = self
            .program
            .templates
            .get(next)
            .ok_or("there are no more templates")?;
        if letters.chars().count() != template.locations.len() {
            return Err("the template has another number of locations");
        }
        let mut points = SecondaryMap::with_default(SchedulingPoint::Passed);
        for (location, letter) in template.locations.keys().zip(letters.chars()) {
            points[location] = point(letter).ok_or("`S`, `P` or `O` is expected")?;
        }
        self.explored.points.push(points);
        Ok(())
    }

    /// The parts are there and fit the instances.
    fn state(&self, parts: &[u32]) -> Result<(), &'static str> {
        let kept = &self.explored.kept;
        let Some((&memory, threads)) = parts.split_last() else {
            return Err("a state has parts");
        };
        if threads.len() != self.instances.threads.len() || memory as usize >= kept.memories.len() {
            return Err("a part for each thread instance and one for memory are expected");
        }
        let fits = |(position, &part): (usize, &u32)| {
            (part as usize) < kept.threads.len()
                && self.is_thread(InstanceId::new(position), kept.threads.get(part))
        };
        let mut threads = threads.iter().enumerate();
        threads
            .all(fits)
            .then_some(())
            .ok_or("a thread is not at a location of its template, with its live registers")
    }

    /// Whether the words are a thread as [`super::store`] packs it.
    fn is_thread(&self, instance: InstanceId, words: &[u64]) -> bool {
        let template = self.interpreter.template(instance);
        let Some((&head, values)) = words.split_first() else {
            return false;
        };
        let (location, status) = (head as u32 as usize, head >> 32);
        if location >= template.locations.len() || status >> 2 > 2 {
            return false;
        }
        let id = self.instances.threads[instance].template;
        let live = self.interpreter.live(id, LocationId::new(location));
        let result = usize::from(status & 3 == 3);
        if values.len() < result {
            return false;
        }
        let mut values = values[result..].iter();
        let mut fits = |bits: u32| {
            values
                .next()
                .is_some_and(|&value| bits >= 64 || value >> bits == 0)
        };
        let all_fit = live.iter().all(|&register| {
            let width = template.registers[register].width;
            fits(width) && (width <= 64 || fits(width - 64))
        });
        all_fit && values.next().is_none()
    }
}

/// Numbers with a space between them, each spelled as it is written.
fn numbers<T>(
    text: &str,
    read: impl Fn(&str) -> Option<T>,
    write: impl Fn(&T) -> String,
) -> Result<Vec<T>, &'static str> {
    let number = |word: &str| read(word).filter(|number| write(number) == word);
    let numbers: Option<Vec<T>> = text.split(' ').map(number).collect();
    numbers.ok_or("numbers are expected, with a space between them and no further digits")
}

fn bytes(digits: &str) -> Option<Vec<u8>> {
    let lower = |byte: &&u8| !byte.is_ascii_uppercase();
    let digit = |byte: &u8| {
        let digit = Some(byte).filter(lower)?;
        char::from(*digit).to_digit(16).map(|value| value as u8)
    };
    let values: Vec<u8> = digits.as_bytes().iter().map(digit).collect::<Option<_>>()?;
    let pairs = values.chunks(2);
    pairs
        .map(|pair| Some(pair[0] << 4 | pair.get(1)?))
        .collect()
}
