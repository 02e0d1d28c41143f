//! The options of the encoding.

/// Bounds on what is encoded, beyond which the system has a limit that is a property, never a wrong answer; and which runs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The most cells an object may need.
    pub cells_per_object: usize,
    /// The most addresses one access may have.
    pub cases_per_access: usize,
    /// Whether only runs go on for ever in which every thread that is able to move again and again moves again and again.
    pub fair: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            cells_per_object: 4096,
            cases_per_access: 4096,
            fair: false,
        }
    }
}
