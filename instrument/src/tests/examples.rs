//! The example programs: reduced search meets the errors and limits that search over all runs meets.
#![allow(clippy::disallowed_methods)] // The names and texts are the project's own.

use std::path::{Path, PathBuf};

use frontend::testing::load_path;

use super::explorer::unreduced;
use super::programs::Subject;
use crate::reduction::Reduction;
use crate::rules::Rules;

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../c-examples");
    let entries = std::fs::read_dir(folder).expect("the examples exist");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut found: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    found.sort();
    found
}

fn subject(path: &Path) -> Subject {
    Subject::new(load_path(path, &[]).program)
}

#[test]
fn no_template_has_more_than_five_times_as_many_locations() {
    for path in examples() {
        let subject = subject(&path);
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
                    "{} {reduction}: `{name}` has {after} locations instead of {before}",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn reductions_preserve_errors_and_limits_of_examples() {
    let mut compared = 0;
    for path in examples() {
        let subject = subject(&path);
        let all = unreduced(&subject.program, &subject.instances);
        if all.incomplete {
            continue;
        }
        for reduction in Reduction::ALL {
            let found = subject.explore(&subject.plan(reduction, Rules::ALL));
            assert_eq!(
                (found.error, found.limits),
                (all.error, all.limits.clone()),
                "{} {reduction}",
                path.display()
            );
        }
        compared += 1;
    }
    assert!(compared > 100, "only {compared} examples are small enough");
}
