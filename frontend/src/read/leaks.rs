//! Searches for memory that is lost, where the program ends.

use program::model::{
    HavocOrigin, LeakSearch, LimitKind, LocationId, LocationKind, Property, Statement,
};

use super::thread::ThreadReader;

/// What is said of lost memory.
const LEAK: &str = "memory leak";
/// What is said of memory that may be lost.
const OF_OTHERS: &str = "memory at the end of the program that only variables of functions or of other threads may lead to";
const HIDDEN: &str = "memory at the end of the program whose address may be stored in another form";

/// How the program ends, or may.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// `main` returns.
    Return,
    /// A call ends the process, wherever its threads are.
    Exit,
    /// A thread ends, behind `main`. The program ends if it is the last one.
    Thread,
}

impl ThreadReader<'_, '_> {
    /// Lets runs that are about to end look for lost memory; others go on.
    pub(super) fn look_for_leaks(&mut self, end: End) {
        if !self.reader.options.looks_for_leaks {
            return;
        }
        let open: &[_] = match end {
            End::Return => &[
                (LeakSearch::Hidden, HIDDEN),
                (LeakSearch::Beside, OF_OTHERS),
            ],
            End::Thread => &[(LeakSearch::Hidden, HIDDEN)],
            End::Exit => &[(LeakSearch::Any, OF_OTHERS)],
        };
        if end != End::Exit {
            let goes_on = self.find(LeakSearch::Certain);
            let site = self.builder.site;
            self.reader.requirements.insert(site);
            self.reader
                .required_by
                .insert(site, Property::ValidMemtrack);
            self.explain(LEAK.to_owned());
            let violated = LocationKind::Limit(LimitKind::Undefined);
            self.builder.end(violated, Statement::Skip);
            self.builder.current = goes_on;
        }
        for &(search, what) in open {
            let goes_on = self.find(search);
            let open = self.reader.leave_open(what.to_owned(), self.builder.site);
            let open = LocationKind::Limit(LimitKind::Unsupported(open));
            self.builder.end(open, Statement::Skip);
            self.builder.current = goes_on;
        }
    }

    /// The same where a thread ends, which may be the last one.
    pub(super) fn look_for_leaks_at_end_of_thread(&mut self) {
        if self.reader.main_ends_as_thread {
            self.look_for_leaks(End::Thread);
        }
    }

    /// Goes on where something is found, if the run looks for it; returns the location where it does not.
    fn find(&mut self, search: LeakSearch) -> LocationId {
        let looks = self.builder.havoc(1, HavocOrigin::Watch);
        let goes_on = self.builder.branch(looks);
        self.builder.emit(Statement::FindLeak(search));
        goes_on
    }
}
