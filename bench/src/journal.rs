//! Runs that are not repeated, because a CSV file remembers them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::measure::{Run, Runner};

/// A run as the file has it.
#[derive(Debug, Serialize, Deserialize)]
struct Row {
    /// The hash of `verify`.
    binary: String,
    /// The hash of the program and the headers beside it.
    source: String,
    /// The arguments of `verify`, with program and limits.
    arguments: String,
    outcome: String,
    seconds: f64,
    peak_mib: f64,
}

/// What a run depends on: binary, source and arguments.
type Key = [String; 3];

impl Row {
    fn read(self) -> anyhow::Result<(Key, Run)> {
        let run = Run {
            outcome: self.outcome.parse()?,
            seconds: self.seconds,
            peak_mebibytes: self.peak_mib,
        };
        Ok(([self.binary, self.source, self.arguments], run))
    }

    fn new([binary, source, arguments]: Key, run: &Run) -> Self {
        Self {
            binary,
            source,
            arguments,
            outcome: run.outcome.to_string(),
            seconds: run.seconds,
            peak_mib: run.peak_mebibytes,
        }
    }
}

/// The runs of one binary under the same limits, those of earlier calls among them.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    runner: Runner,
    binary: String,
    known: BTreeMap<Key, Run>,
}

impl Journal {
    /// Reads the runs that are in the file, if it is there.
    ///
    /// # Errors
    ///
    /// The binary or the file cannot be read, or the file does not consist of runs.
    pub fn open(path: PathBuf, runner: Runner) -> anyhow::Result<Self> {
        let name = runner.verify.display();
        let binary = fs::read(&runner.verify).with_context(|| format!("cannot read {name}"))?;
        let known = if path.exists() {
            read(&path).with_context(|| {
                let shown = path.display();
                format!("{shown} does not hold runs; remove the bad line or the file, and what is missing is run again")
            })?
        } else {
            BTreeMap::new()
        };
        Ok(Self {
            binary: hash(&binary),
            path,
            runner,
            known,
        })
    }

    /// Decides a program, unless that was done before; then the second value is true.
    ///
    /// # Errors
    ///
    /// The program cannot be read, the run not be made, or the file not be written.
    pub fn run(&mut self, program: &Path, options: &[String]) -> anyhow::Result<(Run, bool)> {
        let arguments = self.runner.arguments(program, options).join(" ");
        let source = hash(source(program)?.as_bytes());
        let key = [self.binary.clone(), source, arguments];
        if let Some(run) = self.known.get(&key) {
            return Ok((run.clone(), true));
        }
        let run = self.runner.run(program, options)?;
        let shown = self.path.display();
        self.append(&Row::new(key.clone(), &run))
            .with_context(|| format!("cannot write {shown}"))?;
        self.known.insert(key, run.clone());
        Ok((run, false))
    }

    /// Every run is written at once, so that it is not lost when the user interrupts the benchmarks.
    fn append(&self, row: &Row) -> anyhow::Result<()> {
        let file = File::options().append(true).create(true).open(&self.path)?;
        let empty = file.metadata()?.len() == 0;
        let mut writer = csv::WriterBuilder::new()
            .has_headers(empty)
            .from_writer(file);
        writer.serialize(row)?;
        Ok(writer.flush()?)
    }
}

fn read(path: &Path) -> anyhow::Result<BTreeMap<Key, Run>> {
    let rows = csv::Reader::from_path(path)?.into_deserialize::<Row>();
    rows.map(|row| row?.read()).collect()
}

/// The program and all headers beside it.
pub(crate) fn source(program: &Path) -> anyhow::Result<String> {
    let folder = program.parent().unwrap_or(Path::new("."));
    let mut paths = files(folder, &["h"])?;
    paths.insert(0, program.to_owned());
    let text = |path: &PathBuf| {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    paths.iter().map(text).collect()
}

/// The files of a folder that have one of the extensions, ordered by name.
pub(crate) fn files(folder: &Path, extensions: &[&str]) -> anyhow::Result<Vec<PathBuf>> {
    let unreadable = || format!("cannot read the folder {}", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).with_context(unreadable)? {
        let path = entry.with_context(unreadable)?.path();
        if extensions
            .iter()
            .any(|extension| path.extension().is_some_and(|found| found == *extension))
        {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn hash(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
