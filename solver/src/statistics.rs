//! Counts and times queries by their purpose.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use system::term::{Term, Terms};

use crate::interface::{Answer, FormulaSize, Scopes};

/// Queries by name, in the order of names.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct QueryStatistics {
    /// The counts of each kind of query.
    pub queries: BTreeMap<&'static str, QueryCounts>,
}

/// Answers and time of the queries of one name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct QueryCounts {
    /// Answers `Sat`.
    pub sat: u64,
    /// Answers `Unsat`.
    pub unsat: u64,
    /// Answers `Unknown`.
    pub unknown: u64,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

impl QueryStatistics {
    /// All queries together.
    pub fn total(&self) -> QueryCounts {
        let mut total = QueryCounts::default();
        self.queries.values().for_each(|counts| total.add(counts));
        total
    }

    /// Adds the queries of `other`.
    pub fn absorb(&mut self, other: &Self) {
        for (name, counts) in &other.queries {
            self.queries.entry(name).or_default().add(counts);
        }
    }

    fn record(&mut self, name: &'static str, answer: &Answer<'_>, time: Duration) {
        let counts = self.queries.entry(name).or_default();
        match answer {
            Answer::Sat(_) => counts.sat += 1,
            Answer::Unsat(_) => counts.unsat += 1,
            Answer::Unknown(_) => counts.unknown += 1,
        }
        counts.seconds += time.as_secs_f64();
    }
}

impl QueryCounts {
    /// Number of queries.
    pub fn count(&self) -> u64 {
        self.sat + self.unsat + self.unknown
    }

    fn add(&mut self, other: &Self) {
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.seconds += other.seconds;
    }
}

/// A solver whose queries have names and are counted.
pub struct Measured {
    solver: Box<dyn Scopes>,
    statistics: QueryStatistics,
}

impl Measured {
    /// Counts the queries to `solver`.
    pub fn new(solver: Box<dyn Scopes>) -> Self {
        Self {
            solver,
            statistics: QueryStatistics::default(),
        }
    }

    /// As [`crate::Solver::assert`].
    pub fn assert(&mut self, terms: &Terms, term: Term) {
        self.solver.assert(terms, term);
    }

    /// As [`crate::Solver::check`], counted under `name`.
    pub fn check(&mut self, name: &'static str, terms: &Terms, assumptions: &[Term]) -> Answer<'_> {
        let start = Instant::now();
        let answer = self.solver.check(terms, assumptions);
        self.statistics.record(name, &answer, start.elapsed());
        answer
    }

    /// As [`crate::Solver::limit_conflicts`].
    pub fn limit_conflicts(&mut self, limit: u32) {
        self.solver.limit_conflicts(limit);
    }

    /// As [`crate::Solver::size`].
    pub fn size(&self) -> Option<FormulaSize> {
        self.solver.size()
    }

    /// As [`Scopes::push`].
    pub fn push(&mut self) {
        self.solver.push();
    }

    /// As [`Scopes::pop`].
    pub fn pop(&mut self) {
        self.solver.pop();
    }

    /// The queries so far.
    pub fn statistics(&self) -> &QueryStatistics {
        &self.statistics
    }
}
