//! What the binaries of this crate have in common: options, files, and the exit code.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use clap::Args;

use crate::comparison::Mismatch;
use crate::measure::Runner;
use crate::series::Series;

/// What is run, and where results go.
#[derive(Debug, Args)]
pub struct Common {
    /// The series to run; all if none is named.
    pub series: Vec<String>,

    /// The binary `verify`.
    #[arg(long, value_name = "FILE", default_value = "target/release/verify")]
    pub verify: PathBuf,

    /// The folder to write to; it is made if need be.
    #[arg(long, value_name = "FOLDER", default_value = "target/bench")]
    pub out: PathBuf,

    /// Run each series with its two smallest sizes, once each, with at most 5 seconds a run.
    #[arg(long)]
    pub quick: bool,
}

impl Common {
    /// Runs `verify` under limits.
    ///
    /// # Errors
    ///
    /// The binary is not there.
    pub fn runner(&self, seconds: u64, mebibytes: u64) -> anyhow::Result<Runner> {
        let verify = &self.verify;
        ensure!(
            verify.is_file(),
            "{} is no file; build it with `make build`, or name it with --verify",
            verify.display()
        );
        Ok(Runner {
            verify: fs::canonicalize(verify).with_context(|| verify.display().to_string())?,
            seconds,
            mebibytes,
        })
    }

    /// Those of the series that are asked for, in their own order.
    ///
    /// # Errors
    ///
    /// A name is that of no series.
    pub fn chosen(&self, all: Vec<Series>) -> anyhow::Result<Vec<Series>> {
        if let Some(unknown) = self
            .series
            .iter()
            .find(|name| all.iter().all(|series| series.name != **name))
        {
            let names: Vec<&str> = all.iter().map(|series| series.name).collect();
            bail!(
                "there is no series {unknown}; there are {}",
                names.join(", ")
            );
        }
        let wanted = |series: &Series| {
            self.series.is_empty() || self.series.iter().any(|name| name == series.name)
        };
        let sized = |series: Series| {
            if self.quick {
                series.shortened()
            } else {
                series
            }
        };
        Ok(all.into_iter().filter(wanted).map(sized).collect())
    }

    /// Makes the folder.
    ///
    /// # Errors
    ///
    /// It cannot be made.
    pub fn make_folder(&self) -> anyhow::Result<()> {
        let folder = &self.out;
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
    }

    /// Writes files, each of a name and its text.
    ///
    /// # Errors
    ///
    /// The folder or a file cannot be written.
    pub fn write(&self, files: Vec<(String, String)>) -> anyhow::Result<()> {
        self.make_folder()?;
        for (name, text) in files {
            let path = self.out.join(name);
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

/// Names the runs that did not end as they must, or the error; both make the exit code 1.
pub fn finish(result: anyhow::Result<Vec<Mismatch>>) -> ExitCode {
    match result {
        Ok(mismatches) if mismatches.is_empty() => ExitCode::SUCCESS,
        Ok(mismatches) => {
            eprintln!(
                "\nWRONG: {} runs did not end as they must:",
                mismatches.len()
            );
            mismatches
                .iter()
                .for_each(|mismatch| eprintln!("  WRONG: {mismatch}"));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
