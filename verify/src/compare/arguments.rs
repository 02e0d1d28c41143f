//! The command line of a verification with certain options, for a process that is to have them.

use std::ffi::{OsStr, OsString};

use crate::options::{EngineOptions, Options, OutputOptions, ProgramOptions, name};

/// The words behind the name of the binary. `--compare` and `--replay` are not among them: they ask for something else than a
/// verification.
pub(super) fn of(options: &Options) -> Vec<OsString> {
    let Options {
        program,
        engines,
        output,
        limits,
        verbose,
    } = options;
    let mut words = Words::default();
    words.engines(engines);
    words.output(output);
    words.number("timeout", limits.timeout.map(|time| time.as_secs_f64()));
    words.number("memory", limits.memory);
    (0..*verbose).for_each(|_| words.flag("verbose", true));
    // A file comes last, because its name may look like an option.
    words.program(program);
    words.0
}

#[derive(Default)]
struct Words(Vec<OsString>);

impl Words {
    fn program(&mut self, options: &ProgramOptions) {
        let ProgramOptions {
            file,
            reduction,
            dynamic,
            threads,
            heap,
            recursion,
            cells,
            clang_arguments,
        } = options;
        self.number("reduction", Some(name(reduction)));
        for kind in dynamic {
            self.number("dynamic", Some(kind));
        }
        self.number("threads", *threads);
        self.number("heap", *heap);
        self.number("recursion", *recursion);
        self.number("cells", Some(cells));
        for argument in clang_arguments {
            self.number("clang-arg", Some(argument));
        }
        if let Some(file) = file {
            self.0.extend(["--".into(), file.into()]);
        }
    }

    fn engines(&mut self, options: &EngineOptions) {
        let EngineOptions {
            engine,
            solver,
            depth,
            predicates,
            max_spurious,
        } = options;
        self.number("engine", Some(name(engine)));
        self.number("solver", Some(name(solver)));
        self.number("depth", *depth);
        self.number("predicates", predicates.as_ref().map(name));
        self.number("max-spurious", Some(max_spurious));
    }

    fn output(&mut self, options: &OutputOptions) {
        let OutputOptions {
            json,
            invariant,
            schedule_out,
            replay: _,
            compare: _,
            certificate,
        } = options;
        self.flag("json", *json);
        self.flag("invariant", *invariant);
        self.value("schedule-out", schedule_out.as_ref());
        self.value("certificate", certificate.as_ref());
    }

    fn flag(&mut self, option: &str, given: bool) {
        if given {
            self.0.push(format!("--{option}").into());
        }
    }

    fn number(&mut self, option: &str, value: Option<impl ToString>) {
        self.value(option, value.map(|value| value.to_string()));
    }

    fn value(&mut self, option: &str, value: Option<impl AsRef<OsStr>>) {
        if let Some(value) = value {
            let mut word = OsString::from(format!("--{option}="));
            word.push(value);
            self.0.push(word);
        }
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
        assert_kept("--json -- -a.c");
        assert_kept(
            "a.c --reduction dynamic --dynamic cas,pointer --threads 2 --heap 7 --recursion 0 --cells 9 --clang-arg -DN=3 --clang-arg --json \
             --engine ic3 --solver z3 --depth 4 --predicates affine --max-spurious 6 --json --invariant \
             --schedule-out s.schedule --certificate c.smt2 --timeout 0.1 --memory 512 -vv",
        );
    }
}
