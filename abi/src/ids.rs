//! Numbers that travel between bitcode, the analyses, the engines and the runtime.

use cranelift_entity::entity_impl;

/// One instruction of the normalised bitcode, numbered in reading order from 0.
///
/// `instrument` attaches the number to the instruction as metadata [`crate::markers::SITE_METADATA`],
/// so that the sites of original and instrumented bitcode are the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(pub u32);

/// One run of a thread template; 0 is the main thread.
///
/// Instances are enumerated before an engine starts: the number of runs of a template is bounded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId(pub u32);

impl InstanceId {
    /// The thread that runs `main`.
    pub const MAIN: Self = Self(0);

    /// What a lock in memory says of this instance where it holds the lock: 1 for the main thread.
    pub fn number(self) -> u32 {
        self.0.wrapping_add(1)
    }
}

entity_impl!(SiteId, "s");
entity_impl!(InstanceId, "t");
