//! The programs of `tests/library/`, which state line by line what calls of library functions return and leave behind.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use program::model::DataModel;

/// What a line of a program states, by the macro of `check.h` that it uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statement {
    /// One value, the same natively.
    Check,
    /// Several values, the native one among them.
    OneOf,
    /// Any value, on which no verdict may rest.
    Unknown,
    /// A call without meaning.
    Undefined,
    /// A call behind which the thread does not go on.
    NeverReturns,
}

const MACROS: [(&str, Statement); 5] = [
    ("CHECK(", Statement::Check),
    ("ONE_OF(", Statement::OneOf),
    ("UNKNOWN(", Statement::Unknown),
    ("UNDEFINED(", Statement::Undefined),
    ("NEVER_RETURNS(", Statement::NeverReturns),
];

/// A program.
pub struct Program {
    /// Where it is.
    pub path: PathBuf,
    /// The library functions that its head comment says it looks at.
    pub functions: BTreeSet<String>,
    /// What its lines state, by their numbers.
    pub statements: BTreeMap<usize, Statement>,
    /// Its text without the head comment.
    pub body: String,
}

impl Program {
    fn read(path: PathBuf) -> Self {
        let text = std::fs::read_to_string(&path).expect("the program is readable");
        let functions = text
            .lines()
            .filter_map(|line| line.strip_prefix("// functions: "))
            .flat_map(str::split_whitespace)
            .map(str::to_owned);
        let stated = |line: &str| {
            let line = line.trim_start();
            MACROS
                .iter()
                .find(|(name, _)| line.starts_with(name))
                .map(|(_, statement)| *statement)
        };
        let lines = text.lines().zip(1..);
        let is_head = |line: &&str| line.starts_with("// functions: ");
        Self {
            functions: functions.collect(),
            statements: lines
                .filter_map(|(line, number)| Some((number, stated(line)?)))
                .collect(),
            body: text.lines().skip_while(is_head).collect(),
            path,
        }
    }

    /// All programs, ordered by name.
    pub fn all() -> Vec<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("library");
        let entries = std::fs::read_dir(folder).expect("the folder is readable");
        let mut paths: Vec<PathBuf> = entries
            .map(|entry| entry.expect("the folder is readable").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
            .collect();
        paths.sort();
        paths.into_iter().map(Self::read).collect()
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    }

    /// The values that a native run records, by lines. It looks at one line that never returns, or at none for 0.
    pub fn run(
        &self,
        directory: &Path,
        data_model: DataModel,
        case: usize,
    ) -> BTreeMap<usize, i64> {
        let binary = directory.join(format!("{}{case}_{data_model}", self.name()));
        let records = binary.with_extension("records");
        let compiled = Command::new("clang-19")
            .args(["-O0", "-w", "-pthread", "-D_GNU_SOURCE", "-DNATIVE"])
            .arg(data_model.compiler_flag())
            .arg(format!("-DCASE={case}"))
            .arg(format!("-DRECORDS=\"{}\"", records.display()))
            .args([&self.path, Path::new("-o"), &binary])
            .status()
            .expect("clang-19 runs");
        assert!(compiled.success(), "{} is not compiled", self.name());
        let ended = Command::new("timeout")
            .args([if case == 0 { "10" } else { "1" }])
            .arg(&binary)
            .output()
            .expect("what was compiled runs");
        assert!(
            case != 0 || ended.status.success(),
            "{}: {}",
            self.name(),
            String::from_utf8_lossy(&ended.stderr)
        );
        let text = std::fs::read_to_string(records).unwrap_or_default();
        let mut values = BTreeMap::new();
        for record in text.lines() {
            let (line, value) = record.split_once(' ').expect("a line and a value");
            let line = line.parse().expect("a number");
            let value = value.parse().expect("a number");
            let before = values.insert(line, value);
            assert!(
                before.is_none_or(|before| before == value),
                "{}:{line} has two values",
                self.name()
            );
        }
        values
    }
}
