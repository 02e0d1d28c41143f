//! Two runs give identical output.

use clap::Parser;
use frontend::testing::{in_parallel, number_of};
use tests::{Example, Size, examples};
use verify::options::Options;
use verify::trace::Rendering;

const ENGINES: [&str; 4] = ["bmc", "kind", "explicit", "explicit-reduced"];

#[test]
fn two_runs_print_the_same() {
    // An eighth with one engine each, which other examples do not change: a run that depends on addresses or hash order
    // shows within a few programs.
    let is_chosen = |example: &&Example| {
        example.size == Size::Small && number_of(&example.path).is_multiple_of(8)
    };
    let some = examples();
    in_parallel(some.iter().filter(is_chosen), |example| {
        let engine = ENGINES[number_of(&example.path) / 8 % ENGINES.len()];
        let path = example.path.to_string_lossy().into_owned();
        let mut arguments = vec!["verify", &path, "--engine", engine, "--depth", "8"];
        arguments.extend(example.options.iter().map(String::as_str));
        let options = Options::try_parse_from(arguments).expect("valid options");
        let print = || match verify::run(&options) {
            Ok(report) => report.to_text(Rendering::default()),
            Err(failure) => panic!("{} {engine}: {failure}", example.name),
        };
        assert_eq!(print(), print(), "{} {engine}", example.name);
    });
}
