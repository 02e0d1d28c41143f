//! Two runs give identical output.

use clap::Parser;
use tests::{Example, Size, examples, in_parallel};
use verify::options::Options;

#[test]
fn two_runs_print_the_same() {
    let small = |example: &&Example| example.size == Size::Small;
    // Every fourth: a run that depends on addresses or hash order shows within a few programs.
    let some = examples();
    in_parallel(some.iter().filter(small).step_by(4), |example| {
        for engine in ["bmc", "kind", "explicit"] {
            let path = example.path.to_string_lossy().into_owned();
            let mut arguments = vec!["verify", &path, "--engine", engine, "--depth", "8"];
            arguments.extend(example.options.iter().map(String::as_str));
            let options = Options::try_parse_from(arguments).expect("valid options");
            let print = || match verify::run(&options) {
                Ok(report) => report.to_text(),
                Err(failure) => panic!("{} {engine}: {failure}", example.name),
            };
            assert_eq!(print(), print(), "{} {engine}", example.name);
        }
    });
}
