//! What holds in all states found so far, in each of the domains.

use system::term::Term;
use system::transition_system::TransitionSystem;

use super::bounds::Bounds;
use super::differences::Differences;
use super::dimensions::Columns;
use super::exclusions::Pairs;
use super::space::Space;

/// The least elements of the domains that contain all states found so far.
pub struct Hull {
    space: Space,
    bounds: Bounds,
    differences: Differences,
    pairs: Pairs,
    /// How many components of a point count as numbers.
    numbers: usize,
}

impl Hull {
    /// That of a single state.
    pub fn of(system: &TransitionSystem, columns: &Columns, point: &[u64]) -> Self {
        let numbers = columns.len();
        let mut hull = Self {
            space: Space::point(columns.width(), point[..numbers].to_vec()),
            bounds: columns.bounds(system),
            differences: columns.differences(),
            pairs: columns.pairs(),
            numbers,
        };
        hull.join(point);
        hull
    }

    /// Adds a point; `false` if it is no news.
    pub fn join(&mut self, point: &[u64]) -> bool {
        let news = [
            self.space.join(&point[..self.numbers]),
            self.bounds.join(point),
            self.differences.join(point),
            self.pairs.join(point),
        ];
        news.contains(&true)
    }

    /// The facts that together describe the hull, equations that hold by chance aside, as Boolean terms over the state, in order
    /// and without repetition.
    pub fn facts(&self, system: &mut TransitionSystem, columns: &Columns) -> Vec<Term> {
        let terms = &mut system.terms;
        let mut facts = self.bounds.terms(terms, columns.now());
        for equation in self.space.equations() {
            if columns.is_plausible(&equation) {
                facts.push(columns.term(terms, &equation));
            }
        }
        facts.extend(self.differences.terms(terms, columns.now()));
        facts.extend(self.pairs.terms(terms, columns.now()));
        facts.sort_unstable();
        facts.dedup();
        facts
    }
}
