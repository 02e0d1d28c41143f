//! An occurrence is a statement together with the thread that executes it.

use abi::ids::InstanceId;
use program::model::EdgeId;

/// A statement of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Occurrence {
    pub instance: InstanceId,
    pub edge: EdgeId,
}
