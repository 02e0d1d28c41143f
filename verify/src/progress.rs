//! One line on a terminal that shows the progress.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

const TICK: Duration = Duration::from_millis(100);

/// The line; clones share it. It is on standard error, and only where that is a terminal.
#[derive(Clone, Debug)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Shows nothing.
    pub fn hidden() -> Self {
        Self {
            bar: ProgressBar::hidden(),
        }
    }

    /// Shows the time since now and what [`Progress::stage`] and [`Progress::depth`] tell.
    pub fn on_terminal() -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {prefix}{msg}") {
            bar.set_style(style);
        }
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK);
        }
        Self { bar }
    }

    /// Something else is being done now.
    pub fn stage(&self, what: impl Into<String>) {
        self.bar.set_message("");
        self.bar.set_prefix(what.into());
    }

    /// Bounded model checking has seen all runs of so many transitions.
    pub fn depth(&self, depth: usize) {
        self.bar
            .set_message(format!(", no violation up to depth {depth}"));
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
