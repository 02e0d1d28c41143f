//! State variables that count threads: for proofs about any number of them.
//!
//! A variable *counts* threads if in every reachable state it is more, or less, by the number of all threads that stand for others and are at
//! certain places, than a number that depends on what belongs to none of these. Of the few that are represented, it follows that no more
//! of them are there than the variable says. So two are not there together where it says 1, and none is where it says 0.

use std::fmt;
use std::str::FromStr;

use system::term::Sort;

use crate::frame::{Variable, combined};
use crate::proof_rule::Family;

/// A variable that counts threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The variable, by its position in the state: a bit vector.
    pub variable: usize,
    /// Whether it is less by the number of threads, instead of more.
    pub counts_down: bool,
    /// Whether the number is 1 at most, which is shown. Of others it is 2³¹ - 1 at most, and their variables have
    /// 32 bits at least, so that this has room.
    pub is_flag: bool,
    /// What the variable is without threads, but for what `beside` adds.
    pub from: u128,
    /// The variables that say where threads are, by position and in this order, each with the values, in ascending order, at which
    /// the thread is counted.
    pub places: Vec<(usize, Vec<u128>)>,
    /// Variables that belong to none of these threads, by position and in this order, each with values, in ascending order, and how much
    /// the counting variable is more for each, modulo its width.
    pub beside: Vec<(usize, Vec<(u128, u128)>)>,
}

/// More threads than these do not run at a time.
const MOST_THREADS: u128 = (1 << 31) - 1;

/// More places are not counted, so that [`NARROWEST`] bits hold the number of threads that are represented.
const MOST_PLACES: usize = 64;

/// So many bits a counting variable has at least.
const NARROWEST: u32 = 8;

/// In so many bits there is room for the number of all threads that run at a time.
const WIDTH: u32 = 32;

impl Count {
    /// Whether it means something beside families: threads that stand for the same ones are counted at the same places, and everything else
    /// belongs to none of them.
    pub(crate) fn is_well_formed(&self, families: &[Family]) -> bool {
        let values = |variable: usize| {
            let mut places = self.places.iter();
            places.find_map(|(place, values)| (*place == variable).then_some(values))
        };
        let are_alike = |family: &Family| {
            let counted = |member: &Vec<usize>| member.iter().map(|&at| values(at)).collect();
            let mut members = family.iter().map(counted);
            let first: Option<Vec<_>> = members.next();
            members.all(|member| Some(member) == first)
        };
        // Else a thread may count more than once, and the number is no longer that of threads.
        let has_one_place = |member: &Vec<usize>| {
            let places = member.iter().filter(|&&at| values(at).is_some());
            places.count() <= 1
        };
        let own: Vec<usize> = families.iter().flatten().flatten().copied().collect();
        let others = self.beside.iter().map(|(variable, _)| variable);
        let mut others = others.chain([&self.variable]);
        !self.places.is_empty()
            && self.places.len() <= MOST_PLACES
            && self.places.is_sorted_by(|one, next| one.0 < next.0)
            && self.beside.is_sorted_by(|one, next| one.0 < next.0)
            && self.places.iter().all(|(place, values)| {
                own.contains(place)
                    && !values.is_empty()
                    && values.is_sorted_by(|one, next| one < next)
            })
            && self.beside.iter().all(|(variable, values)| {
                *variable != self.variable
                    && !values.is_empty()
                    && values.is_sorted_by(|one, next| one.0 < next.0)
            })
            && others.all(|variable| !own.contains(variable))
            && families.iter().all(are_alike)
            && families.iter().flatten().all(has_one_place)
    }

    /// Whether it is about variables of fitting sorts.
    pub(crate) fn fits(&self, state: &[Variable]) -> bool {
        let width = |variable: usize| match state.get(variable)?.sort {
            Sort::BitVec(width) => Some(width),
            Sort::Bool => None,
        };
        let is_within = |value: u128, width: u32| value.checked_shr(width).unwrap_or_default() == 0;
        let Some(own) = width(self.variable) else {
            return false;
        };
        let of_places = self.places.iter();
        let of_places = of_places.flat_map(|(place, all)| all.iter().map(|&value| (*place, value)));
        let of_others = self.beside.iter();
        let of_others =
            of_others.flat_map(|(place, all)| all.iter().map(|&(value, _)| (*place, value)));
        let mut values = of_places.chain(of_others);
        let more = self.beside.iter().flat_map(|(_, all)| all);
        let mut more = more.map(|&(_, more)| more).chain([self.from]);
        let least = if self.is_flag { NARROWEST } else { WIDTH };
        own >= least
            && values
                .all(|(place, value)| width(place).is_some_and(|width| is_within(value, width)))
            && more.all(|more| is_within(more, own))
    }

    /// That no more of the threads are there than it says, at a position of a run; of fitting variables.
    pub(crate) fn holds(&self, state: &[Variable], position: usize) -> String {
        let [value, number] = [self.value(state, position), self.number(state, position)];
        let most = if self.is_flag { 1 } else { MOST_THREADS };
        let most = bits(self.width(state), most);
        format!("(and (bvule {number} {value}) (bvule {value} {most}))")
    }

    /// That it says that none is there at position 0, which is so.
    pub(crate) fn says_none(&self, state: &[Variable]) -> String {
        let none = bits(self.width(state), 0);
        let places = self.places.iter();
        let elsewhere = places.map(|place| format!(" (not {})", is_there(state, place, 0)));
        let elsewhere: String = elsewhere.collect();
        format!("(and (= {} {none}){elsewhere})", self.value(state, 0))
    }

    /// That from position 0 to position 1 it changes as the number of threads does.
    pub(crate) fn is_kept(&self, state: &[Variable]) -> String {
        let [before, after] = [0, 1].map(|position| self.value(state, position));
        let [number, then] = [0, 1].map(|position| self.number(state, position));
        let same = format!("(= (bvadd {after} {number}) (bvadd {before} {then}))");
        match self.is_flag {
            true => format!(
                "(and {same} (bvule {after} {}))",
                bits(self.width(state), 1)
            ),
            false => same,
        }
    }

    /// The number of threads that it says.
    fn value(&self, state: &[Variable], position: usize) -> String {
        let width = self.width(state);
        let variable = state[self.variable].name.at(position);
        let more = self.beside.iter().flat_map(|(variable, values)| {
            values
                .iter()
                .map(move |(value, more)| (*variable, *value, *more))
        });
        let more = more.map(|(variable, value, more)| {
            let is_there = equation(&state[variable], value, position);
            format!("(ite {is_there} {} {})", bits(width, more), bits(width, 0))
        });
        let base = [bits(width, self.from)].into_iter().chain(more);
        let base = combined("bvadd", "", base);
        match self.counts_down {
            true => format!("(bvsub {base} {variable})"),
            false => format!("(bvsub {variable} {base})"),
        }
    }

    /// How many of the threads are there.
    fn number(&self, state: &[Variable], position: usize) -> String {
        let [one, none] = [1, 0].map(|value| bits(self.width(state), value));
        let places = self.places.iter();
        let terms = places.map(|place| {
            let is_there = is_there(state, place, position);
            format!("(ite {is_there} {one} {none})")
        });
        combined("bvadd", &none, terms)
    }

    fn width(&self, state: &[Variable]) -> u32 {
        width(&state[self.variable])
    }
}

/// A thread is at one of some places.
fn is_there(state: &[Variable], (place, values): &(usize, Vec<u128>), position: usize) -> String {
    let values = values.iter();
    let equations = values.map(|&value| equation(&state[*place], value, position));
    combined("or", "false", equations)
}

fn equation(variable: &Variable, value: u128, position: usize) -> String {
    let name = variable.name.at(position);
    format!("(= {name} {})", bits(width(variable), value))
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

/// `7 counts up from 0: 1 in 2 4, 2 in 2 4`; `flags` instead of `counts`, and `down` instead of `up`; behind that, where the variable is more
/// for other reasons, ` beside 9 at 3+1 4+1, 10 at 1+7`.
impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variable, from, .. } = self;
        let verb = if self.is_flag { FLAGS } else { COUNTS };
        let direction = if self.counts_down { DOWN } else { UP };
        write!(f, "{variable} {verb} {direction} from {from}: ")?;
        for (number, (place, values)) in self.places.iter().enumerate() {
            let separator = if number == 0 { "" } else { ", " };
            write!(f, "{separator}{place} in")?;
            values.iter().try_for_each(|value| write!(f, " {value}"))?;
        }
        for (number, (variable, values)) in self.beside.iter().enumerate() {
            let separator = if number == 0 { BESIDE } else { ", " };
            write!(f, "{separator}{variable} at")?;
            let mut values = values.iter();
            values.try_for_each(|(value, more)| write!(f, " {value}+{more}"))?;
        }
        Ok(())
    }
}

const COUNTS: &str = "counts";
const FLAGS: &str = "flags";
const UP: &str = "up";
const DOWN: &str = "down";
const BESIDE: &str = " beside ";

impl FromStr for Count {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let position = |word: &str| word.parse().map_err(|_| ());
        let value = |word: &str| word.parse::<u128>().map_err(|_| ());
        let (head, rest) = text.split_once(": ").ok_or(())?;
        let [variable, verb, direction, "from", from] = head.split(' ').collect::<Vec<_>>()[..]
        else {
            return Err(());
        };
        let (places, beside) = match rest.split_once(BESIDE) {
            Some((places, beside)) => (places, Some(beside)),
            None => (rest, None),
        };
        let place = |text: &str| {
            let (place, values) = text.split_once(" in ").ok_or(())?;
            let values = values.split(' ').map(value).collect::<Result<_, ()>>()?;
            Ok((position(place)?, values))
        };
        let other = |text: &str| {
            let (variable, values) = text.split_once(" at ").ok_or(())?;
            let values = values.split(' ').map(|word| {
                let (known, more) = word.split_once('+').ok_or(())?;
                Ok((value(known)?, value(more)?))
            });
            Ok((position(variable)?, values.collect::<Result<_, ()>>()?))
        };
        let beside = beside.into_iter().flat_map(|beside| beside.split(", "));
        Ok(Self {
            variable: position(variable)?,
            counts_down: one_of(direction, [UP, DOWN])?,
            is_flag: one_of(verb, [COUNTS, FLAGS])?,
            from: value(from)?,
            places: places.split(", ").map(place).collect::<Result<_, ()>>()?,
            beside: beside.map(other).collect::<Result<_, ()>>()?,
        })
    }
}

/// Whether a word is the second of two.
fn one_of(word: &str, [no, yes]: [&str; 2]) -> Result<bool, ()> {
    match word {
        _ if word == no => Ok(false),
        _ if word == yes => Ok(true),
        _ => Err(()),
    }
}
