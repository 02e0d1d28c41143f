//! What is being done: shown in one line on a terminal, and told where a limit ends it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use program::model::Property;
use tracing::info;

use crate::report::Report;
use crate::task::Task;

const TICK: Duration = Duration::from_millis(100);

/// The line; clones share it. It is on standard error, and only where that is a terminal.
#[derive(Clone, Debug)]
pub struct Progress {
    bar: ProgressBar,
    reached: Arc<Mutex<Reached>>,
}

/// How far the work has come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reached {
    /// What is being done; empty before it begins.
    pub(crate) stage: String,
    /// What an engine has found out in this stage.
    pub(crate) found: Option<String>,
    /// The task, once it was read.
    pub(crate) task: Option<Arc<Task>>,
    /// What is known of properties that are verified apart, as far as it is.
    pub(crate) reports: Vec<(Property, Report)>,
}

impl Progress {
    /// Shows nothing.
    pub fn hidden() -> Self {
        Self {
            bar: ProgressBar::hidden(),
            reached: Arc::default(),
        }
    }

    /// Shows the time since now and what [`Progress::stage`] and [`Progress::found`] tell.
    pub fn on_terminal() -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {prefix}{msg}") {
            bar.set_style(style);
        }
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK);
        }
        Self {
            bar,
            reached: Arc::default(),
        }
    }

    /// Something else is being done now.
    pub fn stage(&self, what: impl Into<String>) {
        let what = what.into();
        info!(after = ?self.bar.elapsed(), "{what}");
        self.change(|reached| {
            reached.stage.clone_from(&what);
            reached.found = None;
        });
        self.bar.set_message("");
        self.bar.set_prefix(what);
    }

    /// The task was read.
    pub(crate) fn task(&self, task: &Arc<Task>) {
        self.change(|reached| reached.task = Some(Arc::clone(task)));
    }

    /// This is known of properties that are verified apart.
    pub(crate) fn reports(&self, reports: &[(Property, Report)]) {
        self.change(|reached| reached.reports = reports.to_vec());
    }

    /// How far the work has come.
    pub(crate) fn reached(&self) -> Reached {
        let reached = self.reached.lock();
        reached.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn change(&self, change: impl FnOnce(&mut Reached)) {
        let reached = self.reached.lock();
        change(&mut reached.unwrap_or_else(PoisonError::into_inner));
    }

    /// An engine has found out something about the program, which stays true.
    pub fn found(&self, engine: &str, what: &str) {
        let found = format!("{engine}: {what}");
        info!(after = ?self.bar.elapsed(), "{found}");
        self.bar.set_message(format!(", {found}"));
        self.change(|reached| reached.found = Some(found));
    }

    /// Leaves the place of the line to others while `work` is done.
    pub fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }

    /// Takes the line away for good.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
