//! Where the encoded system does more than the program.

use abi::ids::SiteId;
use program::model::{HavocOrigin, Statement};

use crate::constant_propagation::ConstantPropagation;
use crate::context::EncodingContext;

/// A place where the system has more runs than the program, so that a counterexample that comes by here may not count. Where the system
/// has *fewer* runs it has a property instead, because that matters only where it is reachable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Approximation {
    /// What is approximated, in the user's words.
    pub what: String,
    /// Where.
    pub at: SiteId,
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
                    });
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}
