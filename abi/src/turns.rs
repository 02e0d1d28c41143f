//! The order in which the threads of a native run take turns.
//!
//! Text form, one turn a line: `t1 7 12=5 14@3:16:8=2a00 +t2` lets thread 1, which is at the yield with site 7, go on to its next
//! yield. On its way it takes the value 5 where the call at site 12 asks for one. The call at site 14 makes a heap object at
//! place 3, which has room for 16 bytes; it holds 0x2a and 0 at offset 8. It creates thread 2. `start` instead of the site is the thread's beginning. `!17`
//! at the end of a line says that the turn ends before the access at site 17, which takes part in a data race. The last line, `end t1`, names the thread that violates the property in the last turn.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::ids::{InstanceId, SiteId};

/// A run from one violation's beginning to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turns {
    /// The turns, in order.
    pub turns: Vec<Turn>,
    /// The thread that violates the property.
    pub end: InstanceId,
}

/// What a thread does from one yield to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The thread.
    pub instance: InstanceId,
    /// Where it is before.
    pub place: ExternalLocation,
    /// The nondeterministic values it is given, with the sites of the calls that ask for them.
    pub inputs: Vec<(SiteId, u64)>,
    /// The heap objects that it allocates.
    pub allocations: Vec<Allocation>,
    /// The threads that it creates.
    pub created: Vec<InstanceId>,
    /// The access before which the turn ends, if it takes part in a data race. The thread that comes there first stays; the
    /// other one violates the property.
    pub race: Option<SiteId>,
}

/// A heap object, from its allocation on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// The call that allocates it.
    pub site: SiteId,
    /// The memory that the object takes: the same as that of the objects before at this place, and else none that was used before.
    pub place: u32,
    /// How many bytes the largest object at the place has.
    pub room: u64,
    /// What it holds before it is written, as bytes at offsets. All other bytes are arbitrary.
    pub content: BTreeMap<u32, u8>,
}

/// A place where other threads may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExternalLocation {
    /// The beginning of the thread.
    Start,
    /// The yield with this site.
    Yield(SiteId),
}

/// Why a text is no list of turns.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error(
    "line {line}: {reason}: expected `t<thread> start|<site> [<site>=<value>...] \
     [<site>@<place>:<room>[:<offset>=<bytes>...]...] [+t<thread>...] [!<site>]`, and `end t<thread>` last"
)]
pub struct ParseError {
    /// Line number from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: &'static str,
}

impl fmt::Display for ExternalLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("start"),
            Self::Yield(site) => write!(f, "{}", site.0),
        }
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.instance, self.place)?;
        for (site, value) in &self.inputs {
            write!(f, " {}={value}", site.0)?;
        }
        for allocation in &self.allocations {
            write!(f, " {allocation}")?;
        }
        for created in &self.created {
            write!(f, " +{created}")?;
        }
        if let Some(site) = self.race {
            write!(f, " !{}", site.0)?;
        }
        Ok(())
    }
}

impl fmt::Display for Allocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}:{}", self.site.0, self.place, self.room)?;
        let mut end = None;
        for (&offset, byte) in &self.content {
            if end != Some(offset) {
                write!(f, ":{offset}=")?;
            }
            write!(f, "{byte:02x}")?;
            end = offset.checked_add(1);
        }
        Ok(())
    }
}

impl fmt::Display for Turns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for turn in &self.turns {
            writeln!(f, "{turn}")?;
        }
        writeln!(f, "end {}", self.end)
    }
}

impl FromStr for Turns {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut turns = Vec::new();
        let mut lines = (1..).zip(text.lines()).peekable();
        while let Some((line, content)) = lines.next() {
            let fail = |reason| ParseError { line, reason };
            if let Some(thread) = content.strip_prefix("end ") {
                return match (parse_thread(thread), lines.peek()) {
                    (Some(end), None) => Ok(Self { turns, end }),
                    (Some(_), Some(_)) => Err(fail("text after the end")),
                    (None, _) => Err(fail("no thread")),
                };
            }
            turns.push(parse_turn(content).map_err(fail)?);
        }
        Err(ParseError {
            line: turns.len() + 1,
            reason: "no end",
        })
    }
}

fn parse_thread(word: &str) -> Option<InstanceId> {
    word.strip_prefix('t')?.parse().ok().map(InstanceId)
}

fn parse_turn(content: &str) -> Result<Turn, &'static str> {
    let mut words = content.split_whitespace();
    let instance = words.next().and_then(parse_thread).ok_or("no thread")?;
    let place = match words.next() {
        Some("start") => ExternalLocation::Start,
        Some(word) => ExternalLocation::Yield(SiteId(word.parse().map_err(|_| "no site")?)),
        None => return Err("no site"),
    };
    let mut turn = Turn {
        instance,
        place,
        inputs: Vec::new(),
        allocations: Vec::new(),
        created: Vec::new(),
        race: None,
    };
    for word in words {
        if let Some(created) = word.strip_prefix('+') {
            let created = parse_thread(created).ok_or("no thread is created")?;
            turn.created.push(created);
        } else if let Some(site) = word.strip_prefix('!') {
            turn.race = Some(SiteId(site.parse().map_err(|_| "no access")?));
        } else if let Some((site, place)) = word.split_once('@') {
            let allocation = parse_allocation(site, place).ok_or("no allocation")?;
            turn.allocations.push(allocation);
        } else {
            turn.inputs.push(parse_input(word).ok_or("no value")?);
        }
    }
    Ok(turn)
}

fn parse_input(word: &str) -> Option<(SiteId, u64)> {
    let (site, value) = word.split_once('=')?;
    Some((SiteId(site.parse().ok()?), value.parse().ok()?))
}

fn parse_allocation(site: &str, place: &str) -> Option<Allocation> {
    let mut parts = place.split(':');
    let mut allocation = Allocation {
        site: SiteId(site.parse().ok()?),
        place: parts.next()?.parse().ok()?,
        room: parts.next()?.parse().ok()?,
        content: BTreeMap::new(),
    };
    for part in parts {
        let (offset, digits) = part.split_once('=')?;
        let mut offset: u32 = offset.parse().ok()?;
        for byte in digits.as_bytes().chunks(2) {
            let byte = u8::from_str_radix(std::str::from_utf8(byte).ok()?, 16).ok()?;
            allocation.content.insert(offset, byte);
            offset = offset.checked_add(1)?;
        }
    }
    Some(allocation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    prop_compose! {
        fn allocation()(
            site in 0u32..99,
            place in 0u32..9,
            room in any::<u64>(),
            content in prop::collection::btree_map(0u32..20, any::<u8>(), 0..9),
        ) -> Allocation {
            Allocation { site: SiteId(site), place, room, content }
        }
    }

    prop_compose! {
        fn turn()(
            thread in 0u32..9,
            site in prop::option::of(0u32..99),
            inputs in prop::collection::vec((0u32..99, any::<u64>()), 0..3),
            allocations in prop::collection::vec(allocation(), 0..3),
            created in prop::collection::vec(0u32..9, 0..3),
            race in prop::option::of(0u32..99),
        ) -> Turn {
            Turn {
                instance: InstanceId(thread),
                place: site.map_or(ExternalLocation::Start, |site| ExternalLocation::Yield(SiteId(site))),
                inputs: inputs.into_iter().map(|(site, value)| (SiteId(site), value)).collect(),
                allocations,
                created: created.into_iter().map(InstanceId).collect(),
                race: race.map(SiteId),
            }
        }
    }

    proptest! {
        #[test]
        fn printing_and_parsing_are_inverse(turns in prop::collection::vec(turn(), 0..9), end in 0u32..9) {
            let turns = Turns { turns, end: InstanceId(end) };
            prop_assert_eq!(turns.to_string().parse::<Turns>(), Ok(turns));
        }
    }

    #[test]
    fn a_malformed_line_is_named() {
        let error = |text: &str| {
            let error = text.parse::<Turns>().expect_err("malformed");
            (error.line, error.reason)
        };
        assert_eq!(error("t0 start\nt1 x"), (2, "no site"));
        assert_eq!(error("t0 start 5"), (1, "no value"));
        for word in ["5@", "5@1", "5@1:4:", "5@1:4:0=x", "5@1:4:4294967295=0000"] {
            assert_eq!(error(&format!("t0 start {word}")), (1, "no allocation"));
        }
        assert_eq!(error("t0 start !x"), (1, "no access"));
        assert_eq!(error("t0 start"), (2, "no end"));
        assert_eq!(error("end t0\nt0 start"), (1, "text after the end"));
    }
}
