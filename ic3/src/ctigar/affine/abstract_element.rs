//! The abstract element: the facts of each domain that hold in all states found so far.

use system::term::Term;
use system::transition_system::TransitionSystem;

use super::bounds::UpperBounds;
use super::differences::Differences;
use super::dimensions::Dimensions;
use super::exclusions::Exclusions;
use super::space::Space;

/// The least elements of the domains that contain all states found so far.
pub struct AbstractElement {
    space: Space,
    bounds: UpperBounds,
    differences: Differences,
    exclusions: Exclusions,
    /// How many components of a point count as numbers.
    numbers: usize,
}

impl AbstractElement {
    /// That of a single state.
    pub fn of(system: &TransitionSystem, dimensions: &Dimensions, point: &[u64]) -> Self {
        let numbers = dimensions.len();
        let mut element = Self {
            space: Space::point(dimensions.width(), point[..numbers].to_vec()),
            bounds: dimensions.bounds(system),
            differences: dimensions.differences(),
            exclusions: dimensions.exclusions(),
            numbers,
        };
        element.join(point);
        element
    }

    /// Adds a point; `false` if it is no news.
    pub fn join(&mut self, point: &[u64]) -> bool {
        let changed = [
            self.space.join(&point[..self.numbers]),
            self.bounds.join(point),
            self.differences.join(point),
            self.exclusions.join(point),
        ];
        changed.contains(&true)
    }

    /// The facts that together describe the element, equations that hold by chance aside, as Boolean terms over the state, in order
    /// and without repetition.
    pub fn candidate_invariants(
        &self,
        system: &mut TransitionSystem,
        dimensions: &Dimensions,
    ) -> Vec<Term> {
        let terms = &mut system.terms;
        let mut facts = self.bounds.terms(terms, dimensions.now());
        for equation in self.space.equations() {
            if dimensions.is_plausible(&equation) {
                facts.push(dimensions.term(terms, &equation));
            }
        }
        facts.extend(self.differences.terms(terms, dimensions.now()));
        facts.extend(self.exclusions.terms(terms, dimensions.now()));
        facts.sort_unstable();
        facts.dedup();
        facts
    }
}
