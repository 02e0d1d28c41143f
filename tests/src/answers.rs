//! What engines say of one program: whatever is decided must be the same.

use std::path::Path;

use clap::Parser;
use program::model::DataModel;
use verify::options::Options;
use verify::task::Source;
use verify::verdict::Verdict;

/// The options of `verify` that choose an engine and a reduction.
pub type Configuration = &'static [&'static str];

/// The option that lets every other one of numbered programs be for the data model ILP32.
pub fn data_model(number: u64) -> [String; 1] {
    let known = DataModel::ALL;
    let model = known[(number % 2) as usize];
    [format!("--data-model={model}")]
}

/// The verdicts of several configurations for one program.
pub struct Answers {
    /// Under which options each verdict was found.
    pub configurations: Vec<Configuration>,
    /// One for each configuration.
    pub verdicts: Vec<Verdict>,
}

impl Answers {
    /// Asks each configuration, with `options` for all of them, and a time limit in `seconds` for each.
    ///
    /// # Panics
    ///
    /// If the program cannot be read, or an engine contradicts its own evidence.
    pub fn of(
        path: &Path,
        configurations: &[Configuration],
        seconds: u64,
        options: &[String],
    ) -> Self {
        let path = path.to_string_lossy();
        let seconds = seconds.to_string();
        let with = |configuration: &[&str]| {
            let limits = ["verify", &path, "--timeout", &seconds];
            let arguments = limits.iter().chain(configuration).copied();
            let arguments = arguments.chain(options.iter().map(String::as_str));
            Options::try_parse_from(arguments).expect("valid options")
        };
        let source = Source::read(&with(&[]).program);
        let source = source.unwrap_or_else(|failure| panic!("{path}: {failure}"));
        let answer = |configuration: &Configuration| {
            verify::run_read(&source, &with(configuration))
                .unwrap_or_else(|failure| panic!("{path} {configuration:?}: {failure}"))
                .verdict
        };
        Self {
            configurations: configurations.to_vec(),
            verdicts: configurations.iter().map(answer).collect(),
        }
    }

    /// Whether some configuration proves the program.
    pub fn any_safe(&self) -> bool {
        self.verdicts.contains(&Verdict::Safe)
    }

    /// Whether some configuration refutes the program.
    pub fn any_unsafe(&self) -> bool {
        let refuted = |verdict: &Verdict| matches!(verdict, Verdict::Unsafe { .. });
        self.verdicts.iter().any(refuted)
    }

    /// Whether one configuration proves what another one refutes.
    pub fn contradict(&self) -> bool {
        self.any_safe() && self.any_unsafe()
    }

    /// How many verdicts are conclusive.
    pub fn decided(&self) -> usize {
        self.verdicts
            .iter()
            .filter(|verdict| !matches!(verdict, Verdict::Unknown { .. }))
            .count()
    }

    /// A line for each configuration.
    pub fn describe(&self) -> String {
        let lines = self.configurations.iter().zip(&self.verdicts);
        lines
            .map(|(configuration, verdict)| format!("{}: {verdict}\n", configuration.join(" ")))
            .collect()
    }
}
