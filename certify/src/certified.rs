//! The result of a successful check: the obligations that a solver discharged.

use std::time::Duration;

/// A proof of which every obligation was discharged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certified {
    /// The obligations, in order.
    pub discharged: Vec<Discharged>,
}

/// An obligation that a solver found unsatisfiable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discharged {
    /// Which one.
    pub name: String,
    /// How long the solver took.
    pub time: Duration,
}
