//! Two runs give identical output.

use clap::Parser;
use tests::{Size, examples};
use verify::options::Options;

#[test]
fn two_runs_print_the_same() {
    for example in examples()
        .iter()
        .filter(|example| example.size == Size::Small)
    {
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
    }
}
