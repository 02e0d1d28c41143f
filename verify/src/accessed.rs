//! The bytes that a step of a run reads and writes.

use explicit::interpret::{Observation, ReplayStep};
use program::model::{Bits, ObjectId};

/// The bytes that a step reads.
pub(crate) fn reads(step: &ReplayStep) -> impl Iterator<Item = (ObjectId, u32)> {
    bytes(step, read)
}

/// The bytes that a step writes.
pub(crate) fn writes(step: &ReplayStep) -> impl Iterator<Item = (ObjectId, u32)> {
    bytes(step, written)
}

/// What an event reads.
pub(crate) fn read(event: Observation) -> Option<Accessed> {
    if let Observation::Read {
        object,
        offset,
        value,
    } = event
    {
        Some((object, offset, value))
    } else {
        None
    }
}

/// What an event writes.
pub(crate) fn written(event: Observation) -> Option<Accessed> {
    let Observation::Write {
        object,
        offset,
        value,
    } = event
    else {
        return None;
    };
    Some((object, offset, value))
}

/// The object, the offset and the value of an access.
pub(crate) type Accessed = (ObjectId, u32, Bits);

/// The bytes of the accesses among the events of a step.
fn bytes(
    step: &ReplayStep,
    access: impl Fn(Observation) -> Option<Accessed>,
) -> impl Iterator<Item = (ObjectId, u32)> {
    let accesses = step.events.iter().filter_map(move |&event| access(event));
    accesses.flat_map(bytes_of)
}

/// The bytes of an access.
pub(crate) fn bytes_of((object, offset, value): Accessed) -> impl Iterator<Item = (ObjectId, u32)> {
    (offset..offset + value.width / 8).map(move |at| (object, at))
}
