//! Every example gets the verdict that its head comment expects.
//!
//! Small examples are decided by exhaustive search, so they must be decided as expected. Larger ones may stay undecided
//! within the time that a test suite has, but never get the opposite verdict.

use std::path::Path;
use std::time::Instant;

use frontend::testing::number_of;
use program::model::DataModel;
use tests::{DATA_MODEL, Example, Optimised, Size, examples, paper_examples};
use verify::verdict::Verdict;

/// The time limit of a run, unless other options are given.
const LIMIT: &[&str] = &["--timeout=20"];
/// What is compiled with a warning is refused.
const NO_WARNINGS: &[&str] = &[
    "--clang-arg=-Wall",
    "--clang-arg=-Wextra",
    "--clang-arg=-Wpedantic",
    "--clang-arg=-Werror",
];
/// Sizes at which the programs of `c-examples/paper/` are small; each has some of these macros.
const SMALLEST: &[&str] = &[
    "--clang-arg=-DTHREADS=2",
    "--clang-arg=-DSHARE=1",
    "--clang-arg=-DPROBES=4",
    "--clang-arg=-DLIMIT=2",
    "--timeout=5",
];

/// Whether a violation is at a line of the example that checks something, or that says in a comment what is wrong there.
fn is_at_expected_line(example: &Example, property: &str, file: &str, line: u32) -> bool {
    let text = std::fs::read_to_string(&example.path).expect("the example is readable");
    let source = text.lines().nth(line as usize - 1).unwrap_or_default();
    let calls = ["assert", "error", "abort", "exit"];
    Path::new(file).file_name() == example.path.file_name()
        && (calls.iter().any(|call| source.contains(call))
            || source.ends_with(&format!("// {property}")))
}

/// Runs those of the examples that `choose` accepts with `extra` options and returns those whose verdict is not as expected,
/// or has another place than the example says.
fn unexpected(
    examples: &[Example],
    choose: impl Fn(&Example) -> bool,
    extra: &[&str],
) -> Vec<String> {
    let mut wrong = Vec::new();
    for example in examples.iter().filter(|example| choose(example)) {
        let start = Instant::now();
        let verdict = example.verdict(extra);
        let undecided = matches!(verdict, Verdict::Unknown { .. });
        let may_stay_open = example.size != Size::Small && undecided;
        eprintln!(
            "{:40} {:6.2} s  {verdict}",
            example.name,
            start.elapsed().as_secs_f64()
        );
        if !example.expected.matches(&verdict) && !may_stay_open {
            wrong.push(format!(
                "{}: expected {:?}, got {verdict}",
                example.name, example.expected
            ));
        }
        if let Verdict::Unsafe {
            property,
            file,
            line,
            ..
        } = &verdict
            && !is_at_expected_line(example, property, file, *line)
        {
            wrong.push(format!("{}: {verdict}", example.name));
        }
    }
    wrong
}

#[test]
fn examples_get_their_verdict_without_warnings() {
    let options = [LIMIT, NO_WARNINGS].concat();
    assert_eq!(unexpected(&examples(), |_| true, &options), [""; 0]);
}

#[test]
fn programs_of_the_paper_get_their_verdict_without_warnings() {
    let options = [SMALLEST, NO_WARNINGS].concat();
    assert_eq!(unexpected(&paper_examples(), |_| true, &options), [""; 0]);
}

#[test]
fn another_data_model_has_another_verdict() {
    let examples = examples().into_iter();
    let narrow = examples.filter(|example| example.data_model() == DataModel::Ilp32);
    let differs = |example: &Example| {
        let wide = DataModel::Lp64;
        let mut other = example.clone();
        for option in &mut other.options {
            if option.starts_with(DATA_MODEL) {
                *option = format!("{DATA_MODEL}{wide}");
            }
        }
        !example.expected.matches(&other.verdict(LIMIT))
    };
    assert!(narrow.filter(differs).count() >= 12);
}

/// Has those of one of `one_of` examples decided that mean the same when clang optimises them.
fn check_optimised(one_of: usize) {
    let is_chosen = |example: &Example| {
        example.optimised == Optimised::Same && number_of(&example.path).is_multiple_of(one_of)
    };
    let options = [LIMIT, &["--clang-arg=-O2"]].concat();
    assert_eq!(unexpected(&examples(), is_chosen, &options), [""; 0]);
}

#[test]
fn optimised_examples_get_their_verdict() {
    check_optimised(2);
}

#[test]
#[ignore = "the other test has half of it; called by `make fuzz`"]
fn fuzz_all_optimised_examples() {
    check_optimised(1);
}
