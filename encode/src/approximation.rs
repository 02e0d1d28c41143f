//! Where the encoded system does more than the program.

use abi::ids::SiteId;
use program::model::{HavocOrigin, Statement};

use crate::constant_propagation::ConstantPropagation;
use crate::context::EncodingContext;

/// A place where system and program differ. Everything the system does *less* than the program is a property of the
/// system instead, because it matters only where it is reachable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Approximation {
    /// What is approximated, in the user's words.
    pub what: String,
    /// Where.
    pub at: SiteId,
    /// In which direction.
    pub kind: Direction,
}

/// The direction of an approximation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// The system has fewer runs: a proof does not count.
    Under,
    /// The system has more runs: a counterexample that comes by here does not count.
    Over,
}

/// The approximations in blocks that are reached, by site.
pub fn approximations(
    context: &EncodingContext<'_>,
    facts: &ConstantPropagation,
) -> Vec<Approximation> {
    let mut found = Vec::new();
    for &(instance, cut) in facts.cuts.keys() {
        let (template, automaton) = (context.template(instance), context.automaton(instance));
        for location in automaton.cuts.block(template, &automaton.graph, cut) {
            for &edge in automaton.graph.of(location) {
                let edge = &template.edges[edge];
                if let Statement::Havoc {
                    origin: HavocOrigin::Library,
                    ..
                } = edge.statement
                {
                    let words = context.program.explanations.get(&edge.site);
                    let what = words.map_or("the result of a library function", String::as_str);
                    let what = format!("{what} is arbitrary");
                    found.push(Approximation {
                        what,
                        at: edge.site,
                        kind: Direction::Over,
                    });
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}
