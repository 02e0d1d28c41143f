//! The command line of a verification with certain options, for a process that is to have them, and for certificates.

use std::ffi::{OsStr, OsString};

use crate::options::{EngineOptions, Options, OutputOptions, ProgramOptions, name};

/// The words behind the name of the binary. `--compare` and `--replay` are not among them: they ask for something else than a
/// verification.
pub(crate) fn of(options: &Options) -> Vec<OsString> {
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
    words.program(program);
    // A file comes last, because its name may look like an option.
    if let Some(file) = &program.file {
        words.0.extend(["--".into(), file.into()]);
    }
    words.0
}

/// The words that say how a program is read, without its file.
pub(crate) fn of_program(options: &ProgramOptions) -> Vec<OsString> {
    let mut words = Words::default();
    words.program(options);
    words.0
}

#[derive(Default)]
struct Words(Vec<OsString>);

impl Words {
    fn program(&mut self, options: &ProgramOptions) {
        let ProgramOptions {
            file: _,
            reduction,
            dynamic,
            threads,
            heap,
            recursion,
            properties,
            abort_is_error,
            cells,
            trust_instrumentation,
            clang_arguments,
        } = options;
        self.number("reduction", Some(name(reduction)));
        for kind in dynamic {
            self.number("dynamic", Some(kind));
        }
        self.number("threads", *threads);
        self.number("heap", *heap);
        self.number("recursion", *recursion);
        for property in properties {
            self.number("property", Some(property));
        }
        self.flag("abort-is-error", *abort_is_error);
        self.number("cells", Some(cells));
        self.flag("trust-instrumentation", *trust_instrumentation);
        for argument in clang_arguments {
            self.number("clang-arg", Some(argument));
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
            "a.c --reduction dynamic --dynamic cas,pointer --threads 2 --heap 7 --recursion 0 --property unreach-call --property unreach-call --abort-is-error --cells 9 --trust-instrumentation --clang-arg -DN=3 --clang-arg --json \
             --engine ic3 --solver z3 --depth 4 --predicates affine --max-spurious 6 --json --invariant \
             --schedule-out s.schedule --certificate c.smt2 --timeout 0.1 --memory 512 -vv",
        );
    }
}
