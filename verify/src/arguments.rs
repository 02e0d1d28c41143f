//! The command line that gives another process the options of a verification.

use std::ffi::OsString;

use frontend::input::is_standard;
use frontend::operand;

use crate::engines::Settings;
use crate::options::{EngineOptions, Options, OutputOptions};
use crate::program_arguments::Words;
use crate::program_options::name;

/// The words behind the name of the binary. `--compare` and `--replay` are not among them: they ask for something else than a
/// verification.
pub(crate) fn of(options: &Options) -> Vec<OsString> {
    let Options {
        program,
        engines,
        output,
        limits,
        verbose,
        more_clang_arguments,
        expected: _,
    } = options;
    let mut words = Words::default();
    words.engines(engines);
    words.output(output);
    words.number("timeout", limits.timeout.map(|time| time.as_secs_f64()));
    words.number("memory", limits.memory);
    (0..*verbose).for_each(|_| words.flag("verbose", true));
    words.program(program);
    for argument in more_clang_arguments {
        words.number("clang-arg", Some(argument));
    }
    for file in &program.files {
        let word = if is_standard(file) {
            file.clone()
        } else {
            operand(file)
        };
        words.0.push(word.into());
    }
    words.0
}

impl Words {
    fn engines(&mut self, options: &EngineOptions) {
        let EngineOptions { engine, settings } = options;
        self.number("engine", Some(name(engine)));
        let Settings {
            solver,
            depth,
            unwind,
            scheduling,
            predicates,
            scope,
            max_spurious,
        } = settings;
        self.number("solver", Some(name(solver)));
        self.number("depth", *depth);
        self.number("unwind", *unwind);
        self.number("scheduling", scheduling.as_ref().map(name));
        self.number("predicates", predicates.as_ref().map(name));
        self.number("scope", scope.as_ref().map(name));
        self.number("max-spurious", Some(max_spurious));
    }

    fn output(&mut self, options: &OutputOptions) {
        let OutputOptions {
            json,
            invariant,
            schedule_out,
            trace_graph,
            replay: _,
            compare: _,
            certificate,
        } = options;
        self.flag("json", *json);
        self.flag("invariant", *invariant);
        self.value("schedule-out", schedule_out.as_ref());
        self.value("trace-graph", trace_graph.as_ref());
        self.value("certificate", certificate.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn parsed(words: &[OsString]) -> Options {
        Options::try_parse_from([OsString::from("verify")].iter().chain(words)).expect("valid")
    }

    /// Reads a command line, and the one that is made of it.
    fn assert_kept(line: &str) {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let options = parsed(&words);
        let again = parsed(&of(&options));
        assert_eq!(format!("{again:?}"), format!("{options:?}"), "{line}");
    }

    #[test]
    fn every_option_is_passed_on() {
        assert_kept("");
        assert_kept("-");
        assert_kept("--json ./-a.c b.c");
        assert_kept(
            "a.c --reduction dynamic --dynamic cas,pointer --threads 2 --heap 7 --recursion 0 --property unreach-call --property unreach-call --assert-at a.c:3 -x<0 --assert-at b.c:4 y --unreachable a.c:9 --unreachable c.c:1 --abort-is-error --undefined arbitrary --cells 9 --trust-instrumentation --compile-commands build --clang-arg -DN=3 --clang-arg --json \
             --engine ic3 --solver z3 --depth 4 --unwind 2 --scheduling refined --predicates affine --scope all --max-spurious 6 --json --invariant \
             --schedule-out s.schedule --certificate c.smt2 --timeout 0.1 --memory 512 -vv",
        );
    }
}
