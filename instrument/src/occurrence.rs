//! A statement as one thread executes it.

use abi::ids::InstanceId;
use program::model::EdgeId;

/// A statement of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Occurrence {
    pub instance: InstanceId,
    pub edge: EdgeId,
}
