//! Where the program that is verified has more runs than the real one: a run that comes by here may be none of it.

use std::collections::BTreeSet;

use abi::ids::SiteId;
use program::model::{HavocOrigin, Statement};

use crate::task::Task;

/// The results of library functions that are taken to be arbitrary, in words, with their places.
pub(crate) fn approximations(task: &Task) -> Vec<String> {
    let threads = task.instances.threads.values();
    let templates: BTreeSet<_> = threads.map(|thread| thread.template).collect();
    let edges = templates
        .into_iter()
        .flat_map(|template| task.program.templates[template].edges.values());
    let is_arbitrary = |statement: &Statement| {
        matches!(
            statement,
            Statement::Havoc {
                origin: HavocOrigin::Library,
                ..
            }
        )
    };
    let what = |site: SiteId| {
        let words = task.program.explanations.get(&site);
        words.map_or("the result of a library function", String::as_str)
    };
    let found: BTreeSet<(&str, SiteId)> = edges
        .filter(|edge| is_arbitrary(&edge.statement))
        .map(|edge| (what(edge.site), edge.site))
        .collect();
    let mut lines: Vec<String> = found
        .into_iter()
        .map(|(what, site)| format!("{what} is arbitrary at {}", task.place(site)))
        .collect();
    // A function that is inlined in several places has one place in the source.
    let mut told = BTreeSet::new();
    lines.retain(|line| told.insert(line.clone()));
    lines
}
