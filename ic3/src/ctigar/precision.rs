//! The choice of the initial precision.

/// The precision to start with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// The atoms of the system that speak of the state alone: places of threads, owners of locks, guards, assertions.
    #[default]
    Atoms,
    /// Those, and from the start on, as parts of the invariant, affine equalities that hold in all reachable states, bounds,
    /// differences at places of threads, and conditions that never hold together.
    Affine,
    /// The atoms, and every bit of the state, so that nothing is ever refined.
    Exact,
}
