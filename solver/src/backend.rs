//! The choice of a backend.

use system::budget::Budget;

use crate::bitblast::BitBlaster;
use crate::interface::{Scopes, Workload};
use crate::z3::Z3;

/// Which solver to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backend {
    /// Our translation to clauses, and CaDiCaL.
    #[default]
    BitBlasting,
    /// Z3.
    Z3,
}

impl Backend {
    /// Both.
    pub const ALL: [Self; 2] = [Self::BitBlasting, Self::Z3];

    /// An empty solver that answers unknown once the budget is exhausted.
    pub fn solver(self, budget: &Budget, workload: Workload) -> Box<dyn Scopes> {
        match self {
            Self::BitBlasting => Box::new(BitBlaster::new(budget, workload)),
            Self::Z3 => Box::new(Z3::new(budget)),
        }
    }
}
