//! State variables that count threads: for proofs about any number of them.
//!
//! A variable *counts* threads if in every reachable state it is the number of all threads that are at certain places. Of a few threads that
//! stand for any number, it follows that no more of them are there than the variable says. So two threads are not there together
//! where it is 1, and none is where it is 0.

use std::collections::BTreeSet;
use std::fmt;

use system::term::Sort;

use crate::frame::{Variable, combined};
use crate::proof_rule::Family;

/// A variable that counts threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The variable, by its position in the state: a bit vector.
    pub variable: usize,
    /// Whether it is 1 at most. All others have [`Count::WIDTH`] bits at least, and are counted with modulo their width: fewer
    /// threads than that are there at a time.
    pub is_flag: bool,
    /// The variables that say where threads are, by position and in this order, each with the values, in ascending order, at which
    /// the thread is counted.
    pub places: Vec<(usize, Vec<u128>)>,
}

/// More threads are not counted, so that their number has [`SPARE`] bits.
const MOST_PLACES: usize = 64;

/// By how many bits a number is longer that is compared with a flag.
const SPARE: u32 = 8;

impl Count {
    /// In so many bits there is room for the number of all threads that run at a time.
    pub const WIDTH: u32 = 32;

    /// Whether it means something beside families: threads that stand for the same ones are counted at the same places, and the variable
    /// belongs to none of them.
    pub(crate) fn is_well_formed(&self, families: &[Family]) -> bool {
        let values = |variable: usize| {
            let mut places = self.places.iter();
            places.find_map(|(place, values)| (*place == variable).then_some(values))
        };
        let are_alike = |family: &Family| {
            let first = &family[0];
            family.iter().all(|member| {
                let places = [first, member].map(|all| all.iter().map(|&at| values(at)));
                let [one, other] = places;
                one.eq(other)
            })
        };
        let mut own = families.iter().flatten().flatten();
        !self.places.is_empty()
            && self.places.len() <= MOST_PLACES
            && self.places.is_sorted_by(|one, next| one.0 < next.0)
            && self.places.iter().all(|(place, values)| {
                *place != self.variable
                    && !values.is_empty()
                    && values.is_sorted_by(|one, next| one < next)
            })
            && own.all(|&variable| variable != self.variable)
            && families.iter().all(are_alike)
    }

    /// Whether it is about variables of fitting sorts.
    pub(crate) fn fits(&self, state: &[Variable]) -> bool {
        let width = |variable: usize| match state.get(variable)?.sort {
            Sort::BitVec(width) => Some(width),
            Sort::Bool => None,
        };
        let Some(own) = width(self.variable) else {
            return false;
        };
        let fits = |(place, values): &(usize, Vec<u128>)| {
            let last = values.last().copied().unwrap_or_default();
            width(*place).is_some_and(|width| last.checked_shr(width).unwrap_or_default() == 0)
        };
        (self.is_flag || own >= Self::WIDTH) && self.places.iter().all(fits)
    }

    /// That no more of the threads are there than it says, at a position of a run; of fitting variables.
    pub(crate) fn holds(&self, state: &[Variable], position: usize) -> String {
        let [variable, number] = [self.value(state, position), self.number(state, position)];
        let bound = self.bound(state, position);
        format!("(and (bvule {number} {variable}){bound})")
    }

    /// That it is the number of the threads which are there, and none of those is that stand for others.
    pub(crate) fn is_exact(&self, state: &[Variable], families: &[Family]) -> String {
        let [variable, number] = [self.value(state, 0), self.number(state, 0)];
        let bound = self.bound(state, 0);
        let own: BTreeSet<usize> = families.iter().flatten().flatten().copied().collect();
        let places = self.places.iter().filter(|(place, _)| own.contains(place));
        let elsewhere = places.map(|place| format!(" (not {})", self.is_there(state, place, 0)));
        let elsewhere: String = elsewhere.collect();
        format!("(and (= {variable} {number}){elsewhere}{bound})")
    }

    /// That from position 0 to position 1 it changes as the number of threads does.
    pub(crate) fn is_kept(&self, state: &[Variable]) -> String {
        let [before, after] = [0, 1].map(|position| self.value(state, position));
        let [number, then] = [0, 1].map(|position| self.number(state, position));
        let bound = self.bound(state, 1);
        format!("(and (= (bvadd {after} {number}) (bvadd {before} {then})){bound})")
    }

    /// That a flag is 1 at most, behind a space.
    fn bound(&self, state: &[Variable], position: usize) -> String {
        let variable = self.value(state, position);
        match self.is_flag {
            true => format!(" (bvule {variable} {})", self.bits(state, 1)),
            false => String::new(),
        }
    }

    /// The variable, with more bits if it is a flag.
    fn value(&self, state: &[Variable], position: usize) -> String {
        let variable = state[self.variable].name.at(position);
        match self.is_flag {
            true => format!("((_ zero_extend {SPARE}) {variable})"),
            false => variable.to_string(),
        }
    }

    /// How many of the threads are there.
    fn number(&self, state: &[Variable], position: usize) -> String {
        let [one, zero] = [1, 0].map(|value| self.bits(state, value));
        let places = self.places.iter();
        let terms = places.map(|place| {
            let is_there = self.is_there(state, place, position);
            format!("(ite {is_there} {one} {zero})")
        });
        combined("bvadd", &zero, terms)
    }

    fn is_there(
        &self,
        state: &[Variable],
        (place, values): &(usize, Vec<u128>),
        position: usize,
    ) -> String {
        let variable = &state[*place];
        let name = variable.name.at(position);
        let equations = values
            .iter()
            .map(|&value| format!("(= {name} {})", bits(width(variable), value)));
        combined("or", "false", equations)
    }

    /// A number as the variable is compared with.
    fn bits(&self, state: &[Variable], value: u128) -> String {
        let more = if self.is_flag { SPARE } else { 0 };
        bits(width(&state[self.variable]) + more, value)
    }
}

fn width(variable: &Variable) -> u32 {
    match variable.sort {
        Sort::BitVec(width) => width,
        Sort::Bool => 0,
    }
}

fn bits(width: u32, value: u128) -> String {
    format!("(_ bv{value} {width})")
}

/// `7 counts 1 in 2 4, 12 in 3`, or `flags` instead of `counts`.
impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.is_flag { FLAGS } else { COUNTS };
        write!(f, "{} {verb}", self.variable)?;
        for (number, (place, values)) in self.places.iter().enumerate() {
            let separator = if number == 0 { "" } else { "," };
            write!(f, "{separator} {place} in")?;
            values.iter().try_for_each(|value| write!(f, " {value}"))?;
        }
        Ok(())
    }
}

const COUNTS: &str = "counts";
const FLAGS: &str = "flags";

impl std::str::FromStr for Count {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let number = |word: &str| word.parse().map_err(|_| ());
        let (variable, rest) = text.split_once(' ').ok_or(())?;
        let (verb, places) = rest.split_once(' ').ok_or(())?;
        let place = |text: &str| {
            let (place, values) = text.split_once(" in ").ok_or(())?;
            let values = values
                .split(' ')
                .map(|word| word.parse::<u128>().map_err(|_| ()));
            Ok((number(place)?, values.collect::<Result<_, ()>>()?))
        };
        Ok(Self {
            variable: number(variable)?,
            is_flag: match verb {
                COUNTS => false,
                FLAGS => true,
                _ => return Err(()),
            },
            places: places.split(", ").map(place).collect::<Result<_, ()>>()?,
        })
    }
}
