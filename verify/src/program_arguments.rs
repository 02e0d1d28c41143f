//! The command line that gives the options of a program, for certificates and other processes.

use std::ffi::{OsStr, OsString};

use crate::program_options::{ProgramOptions, name};

/// The words that say how a program is read and what is verified of it, without its file. No default is left to be understood.
pub(crate) fn of_program(options: &ProgramOptions) -> Vec<OsString> {
    let mut words = Words::default();
    words.program(&ProgramOptions {
        properties: vec![options.verified().into_iter().collect()],
        ..options.clone()
    });
    words.0
}

/// Words of a command line.
#[derive(Default)]
pub(crate) struct Words(pub(crate) Vec<OsString>);

impl Words {
    pub(crate) fn program(&mut self, options: &ProgramOptions) {
        let ProgramOptions {
            files: _,
            reduction,
            dynamic,
            threads,
            heap,
            recursion,
            properties,
            fair,
            demanded,
            abort_is_error,
            undefined,
            cells,
            trust_instrumentation,
            data_model,
            compile_commands,
            clang_arguments,
            descriptions: _,
        } = options;
        self.number("reduction", Some(name(reduction)));
        for kind in dynamic {
            self.number("dynamic", Some(kind));
        }
        self.number("threads", *threads);
        self.number("heap", *heap);
        self.number("recursion", *recursion);
        for names in properties {
            self.number("property", Some(names));
        }
        self.flag("fair", *fair);
        self.0.extend(demanded.words().map(OsString::from));
        self.flag("abort-is-error", *abort_is_error);
        self.number("undefined", Some(name(undefined)));
        self.number("cells", Some(cells));
        self.flag("trust-instrumentation", *trust_instrumentation);
        self.number("data-model", *data_model);
        self.value("compile-commands", compile_commands.as_ref());
        for argument in clang_arguments {
            self.number("clang-arg", Some(argument));
        }
    }

    pub(crate) fn flag(&mut self, option: &str, given: bool) {
        if given {
            self.0.push(format!("--{option}").into());
        }
    }

    pub(crate) fn number(&mut self, option: &str, value: Option<impl ToString>) {
        self.value(option, value.map(|value| value.to_string()));
    }

    pub(crate) fn value(&mut self, option: &str, value: Option<impl AsRef<OsStr>>) {
        if let Some(value) = value {
            let mut word = OsString::from(format!("--{option}="));
            word.push(value);
            self.0.push(word);
        }
    }
}
