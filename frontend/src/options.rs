//! The bounds under which a program is read.

use std::ops::RangeInclusive;

use program::model::HeapSite;

/// Bounds that apply while a program is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// How many calls may be nested within a cycle of the call graph; deeper ones reach
    /// [`program::model::LimitKind::Recursion`].
    pub recursion: u32,
    /// How many bytes are reserved for an allocation whose size is computed.
    pub allocation: u32,
    /// Whether `abort` and ending the process by `exit` with another status than 0 violate the property.
    pub abort_is_error: bool,
}

impl ReadOptions {
    /// How deep a recursion may be asked for.
    pub const RECURSION: RangeInclusive<u32> = 0..=1024;
    /// How many bytes may be reserved for an allocation whose size is computed.
    pub const ALLOCATION: RangeInclusive<u32> = 1..=1 << 16;
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            recursion: 8,
            allocation: HeapSite::RESERVED,
            abort_is_error: false,
        }
    }
}
