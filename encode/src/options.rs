//! The options of the encoding: how many cells an object and how many addresses an access may have.

/// Bounds on what is encoded. Beyond them the system has a limit that is a property, never a wrong answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The most cells an object may need.
    pub cells_per_object: usize,
    /// The most addresses one access may have.
    pub cases_per_access: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            cells_per_object: 4096,
            cases_per_access: 4096,
        }
    }
}
