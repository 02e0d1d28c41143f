//! The example programs: reduced search meets the errors and limits that search over all runs meets, and the reduced
//! programs are not much larger.
#![allow(clippy::disallowed_methods)] // The names and texts are the project's own.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use frontend::testing::{c_files, in_parallel, load_path, number_of};

use super::explorer::unreduced;
use super::programs::Subject;
use crate::reduction::Reduction;
use crate::rules::Rules;

/// No template has more than five times as many locations as before.
fn assert_not_much_larger(name: &str, subject: &Subject) {
    for reduction in Reduction::ALL {
        let mut reduced = subject.program.clone();
        subject.plan(reduction, Rules::ALL).apply(&mut reduced);
        crate::lower_phases(&mut reduced);
        for (id, template) in &subject.program.templates {
            let before = template.locations.len();
            let after = reduced.templates[id].locations.len();
            let template = &template.name;
            assert!(
                after <= 5 * before,
                "{name} {reduction}: `{template}` has {after} locations instead of {before}"
            );
        }
    }
}

/// Whether an example is small enough to be compared: all reductions then preserve its errors and limits.
fn preserves_errors_and_limits(name: &str, subject: &Subject) -> bool {
    let all = unreduced(&subject.program, &subject.instances);
    if all.incomplete {
        return false;
    }
    for reduction in Reduction::ALL {
        let found = subject.explore(&subject.plan(reduction, Rules::ALL));
        assert_eq!(
            (found.error, found.limits),
            (all.error, all.limits.clone()),
            "{name} {reduction}"
        );
    }
    true
}

/// Half of the examples. A right one and a broken one are not always both in it.
#[test]
fn reductions_of_examples_preserve_errors_and_limits_and_are_not_much_larger() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../c-examples");
    let compared = AtomicUsize::new(0);
    let chosen = c_files(&folder).into_iter();
    in_parallel(
        chosen.filter(|path| number_of(path).is_multiple_of(2)),
        |path| {
            let program = load_path(&path, &[]).program;
            let name = program.name.clone();
            let subject = Subject::new(program);
            assert_not_much_larger(&name, &subject);
            let is_compared = preserves_errors_and_limits(&name, &subject);
            compared.fetch_add(usize::from(is_compared), Ordering::Relaxed);
        },
    );
    let compared = compared.into_inner();
    assert!(compared > 100, "only {compared} examples are small enough");
}
