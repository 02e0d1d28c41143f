//! What is told of a run that a limit has ended.

use crate::options::Options;
use crate::progress::{Progress, Reached};
use crate::report::Report;
use crate::unsupported_constructs;
use crate::verdict::Verdict;

/// The report of a run that a limit ended: what is known of properties that were verified before, what it was doing then, and what of the
/// program is not read.
pub fn stopped(limit: &str, options: &Options, progress: &Progress) -> Report {
    let Reached {
        stage,
        found,
        task,
        mut reports,
    } = progress.reached();
    let reason = match stage.is_empty() {
        true => limit.to_owned(),
        false => format!("{limit}; reached while {stage}"),
    };
    let reason = match found {
        Some(found) => format!("{reason}; {found}"),
        None => reason,
    };
    let files = &options.program.files;
    let open = Report {
        unsupported: task.map_or_else(Vec::new, |task| unsupported_constructs(&task, files)),
        ..Report::undecided(Verdict::unknown(reason))
    };
    if reports.is_empty() {
        return open;
    }
    for property in options.program.verified() {
        if reports.iter().all(|&(known, _)| known != property) {
            reports.push((property, open.clone()));
        }
    }
    Report::worst(reports, options.program.open())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use program::model::Property;

    #[test]
    fn what_was_known_of_a_property_stays_known() {
        let words = ["verify", "program.c", "--property=unreach-call,no-overflow"];
        let options = Options::try_parse_from(words).expect("valid options");
        let progress = Progress::hidden();
        progress.stage("running eventgraph");
        let nothing = stopped("time limit", &options, &progress);
        assert!(nothing.properties.is_empty());

        let violated = Verdict::Unsafe {
            property: "overflow".into(),
            file: "program.c".into(),
            line: 7,
            related: None,
        };
        let known = Report::undecided(violated.clone());
        progress.reports(&[(Property::NoOverflow, known)]);
        let report = stopped("time limit", &options, &progress);
        assert_eq!(report.verdict, violated);
        let [open, decided] = report.properties.as_slice() else {
            panic!("two properties: {:?}", report.properties);
        };
        assert_eq!(decided.verdict, violated);
        let reason = Verdict::unknown("time limit; reached while running eventgraph".to_owned());
        assert_eq!(open.verdict, reason);
    }
}
