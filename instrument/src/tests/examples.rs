//! The example programs: reduced search meets the errors and limits that search over all runs meets.
#![allow(clippy::disallowed_methods)] // The names and texts are the project's own.

use std::path::Path;
use std::sync::LazyLock;

use frontend::testing::load_path;

use super::explorer::unreduced;
use super::programs::Subject;
use crate::reduction::Reduction;
use crate::rules::Rules;

/// The example programs with their names. They are read once, and before anything is searched: reading starts processes,
/// which costs a multiple of its time once this one has much memory.
static SUBJECTS: LazyLock<Vec<(String, Subject)>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../c-examples");
    let entries = std::fs::read_dir(folder).expect("the examples exist");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut found: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .map(|path| {
            let subject = Subject::new(load_path(&path, &[]).program);
            (path.display().to_string(), subject)
        })
        .collect();
    found.sort_by(|(left, _), (right, _)| left.cmp(right));
    found
});

#[test]
fn no_template_has_more_than_five_times_as_many_locations() {
    for (path, subject) in SUBJECTS.iter() {
        for reduction in Reduction::ALL {
            let mut reduced = subject.program.clone();
            subject.plan(reduction, Rules::ALL).apply(&mut reduced);
            crate::lower_phases(&mut reduced);
            for (id, template) in &subject.program.templates {
                let (before, after) = (
                    template.locations.len(),
                    reduced.templates[id].locations.len(),
                );
                let name = &template.name;
                assert!(
                    after <= 5 * before,
                    "{path} {reduction}: `{name}` has {after} locations instead of {before}"
                );
            }
        }
    }
}

#[test]
fn reductions_preserve_errors_and_limits_of_examples() {
    let mut compared = 0;
    for (path, subject) in SUBJECTS.iter() {
        let all = unreduced(&subject.program, &subject.instances);
        if all.incomplete {
            continue;
        }
        for reduction in Reduction::ALL {
            let found = subject.explore(&subject.plan(reduction, Rules::ALL));
            assert_eq!(
                (found.error, found.limits),
                (all.error, all.limits.clone()),
                "{path} {reduction}"
            );
        }
        compared += 1;
    }
    assert!(compared > 100, "only {compared} examples are small enough");
}
