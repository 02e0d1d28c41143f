//! The output of `verify`: text for people, or one JSON document.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::time::Duration;

use abi::schedule::Schedule;
use instrument::RacePairs;
use program::model::Property;
use serde::{Deserialize, Serialize};
use solver::QueryCounts;
use system::budget::peak_mebibytes;

use crate::invariant::Contract;
use crate::states::StateCertificate;
use crate::trace::{Rendering, SourceTrace};
use crate::verdict::{Assumptions, Verdict};

/// The result of one verification.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The answer.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The verdict on each property, if several were asked for; that of the report is the worst.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<PropertyVerdict>,
    /// Why the answer can be believed.
    pub evidence: Option<String>,
    /// Whether several engines ran side by side, so that it depends on the machine which of them has proved the program.
    #[serde(skip)]
    pub side_by_side: bool,
    /// What it rests on beside the program.
    #[serde(flatten)]
    pub assumptions: Assumptions,
    /// The violating run.
    pub trace: Option<SourceTrace>,
    /// The same run, to be replayed.
    #[serde(skip)]
    pub schedule: Option<Schedule>,
    /// The invariant of a proof, lemma by lemma, if it was asked for and there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invariant: Option<Vec<String>>,
    /// What the threads of a proof rely on and guarantee, if its invariant was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contracts: Vec<Contract>,
    /// The certificate of SAFE, if it was asked for.
    #[serde(skip)]
    pub certificate: Option<CertificateFile>,
    /// Limits of the program, such as undefined behaviour, that runs were shown to meet, with their places.
    pub limits: Vec<String>,
    /// Why SAFE says less than it seems to.
    pub warnings: Vec<String>,
    /// Constructs that are not read, with their places; none of a safe program, no run of which reaches one.
    pub unsupported: Vec<String>,
    /// Where the search was cut short or made coarser.
    pub approximations: Vec<String>,
    /// What is known of the pairs of accesses that may race, if data races were looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conflicting_accesses: Option<ConflictingAccesses>,
    /// Sizes and times.
    pub statistics: Statistics,
}

/// How many pairs of accesses conflict, by how a race of them is excluded.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ConflictingAccesses {
    /// They are never made at the same time: threads are created and joined, or both are in atomic regions.
    pub apart: usize,
    /// Both threads hold the same mutex.
    pub locked: usize,
    /// By the search.
    pub searched: usize,
}

impl From<RacePairs> for ConflictingAccesses {
    fn from(pairs: RacePairs) -> Self {
        let RacePairs {
            apart,
            locked,
            open,
        } = pairs;
        Self {
            apart,
            locked,
            searched: open,
        }
    }
}

impl fmt::Display for ConflictingAccesses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            apart,
            locked,
            searched,
        } = self;
        let all = apart + locked + searched;
        write!(
            f,
            "{all} conflicting pairs: {apart} never at the same time, {locked} under a common lock, {searched} searched"
        )
    }
}

/// How evidence ends that is about any number of threads.
pub(crate) const FOR_ANY_NUMBER: &str = ", for any number of threads";

/// The verdict on one property.
#[derive(Clone, Debug, Serialize)]
pub struct PropertyVerdict {
    /// The name of the property.
    pub name: String,
    /// The answer.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// A proof to be kept in a file.
#[derive(Clone, Debug)]
pub enum CertificateFile {
    /// About a transition system, or about orders of events, as SMT-LIB.
    Proof(String),
    /// The states of an exhaustive search.
    States(StateCertificate),
}

impl fmt::Display for CertificateFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proof(text) => f.write_str(text),
            Self::States(certificate) => certificate.fmt(f),
        }
    }
}

/// Sizes and times of one verification.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Statistics {
    /// Thread instances, the main thread included.
    pub threads: usize,
    /// Memory objects.
    pub objects: usize,
    /// Locations where other threads may run, over all templates.
    pub external_locations: usize,
    /// Blocks of the encoding, over all instances; none if no engine was asked that needs it, or the result is text.
    pub blocks: Option<usize>,
    /// Bits of the encoded state, before and after simplification.
    pub state_bits: Option<[usize; 2]>,
    /// Seconds from the start until the engines started.
    pub preparation_seconds: f64,
    /// Largest resident set of the process so far, where the operating system tells.
    pub peak_mebibytes: Option<u64>,
    /// Which engine's answer was taken.
    pub engine: String,
    /// What each engine did.
    pub engines: Vec<EngineStatistics>,
}

/// What one engine did.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct EngineStatistics {
    /// Its name.
    pub engine: String,
    /// Its own answer.
    pub answer: String,
    /// Seconds it ran.
    pub seconds: f64,
    /// Its solver queries by name; none of an engine that has no solver, or that was given up.
    pub queries: Option<Queries>,
}

/// Numbers and times of solver queries, by name.
pub type Queries = BTreeMap<String, QueryCounts>;

/// Seconds for people, to the millisecond.
pub(crate) fn rounded(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e3).round() / 1e3
}

impl Report {
    /// A report that has nothing but its verdict.
    pub fn undecided(verdict: Verdict) -> Self {
        Self {
            verdict,
            properties: Vec::new(),
            evidence: None,
            side_by_side: false,
            assumptions: Assumptions::default(),
            trace: None,
            schedule: None,
            invariant: None,
            contracts: Vec::new(),
            certificate: None,
            limits: Vec::new(),
            warnings: Vec::new(),
            unsupported: Vec::new(),
            approximations: Vec::new(),
            conflicting_accesses: None,
            statistics: Statistics {
                peak_mebibytes: peak_mebibytes(),
                ..Statistics::default()
            },
        }
    }

    /// The report with the worst verdict, UNSAFE before UNKNOWN before SAFE, and the verdicts of all if there are several. With properties
    /// that are open, which are UNKNOWN, it is not SAFE, and says nevertheless what was done for the others.
    pub(crate) fn worst(mut reports: Vec<(Property, Self)>, open: Vec<PropertyVerdict>) -> Self {
        reports.sort_by_key(|&(property, _)| property);
        let verdicts = reports.iter().map(|(property, report)| PropertyVerdict {
            name: property.to_string(),
            verdict: report.verdict.clone(),
        });
        let verdicts: Vec<PropertyVerdict> = verdicts.chain(open.iter().cloned()).collect();
        let fair = reports.iter().any(|(_, report)| report.assumptions.fair);
        let reports = reports.into_iter().map(|(_, report)| report);
        let worst = reports.min_by_key(|report| match report.verdict {
            Verdict::Unsafe { .. } => 0,
            Verdict::Unknown { .. } => 1,
            Verdict::Safe => 2,
        });
        let nothing = || Self::undecided(Verdict::unknown("no property was asked for"));
        let mut worst = worst.unwrap_or_else(nothing);
        if let (Verdict::Safe, Some(first)) = (&worst.verdict, open.first()) {
            worst.verdict = first.verdict.clone();
            worst.evidence = None;
        }
        if verdicts.len() > 1 {
            worst.properties = verdicts;
        }
        worst.assumptions.fair |= fair;
        worst
    }

    /// The JSON document, with a final newline.
    pub fn to_json(&self) -> String {
        document(self)
    }

    /// The text; its last line is the verdict. Equal inputs give equal texts: it contains no times.
    pub fn to_text(&self, rendering: Rendering) -> String {
        let mut text = String::new();
        if let Some(trace) = &self.trace {
            let _ = writeln!(text, "{}", trace.to_text(rendering));
        }
        for warning in &self.warnings {
            let _ = writeln!(text, "warning: {warning}");
        }
        for name in &self.assumptions.arbitrary_functions {
            let _ = writeln!(
                text,
                "assumption: `{name}`, which is not defined, returns any value and gives the variables that its arguments point into \
                 any content; it does nothing else"
            );
        }
        for unsupported in &self.unsupported {
            let _ = writeln!(text, "unsupported: {unsupported}");
        }
        for approximation in &self.approximations {
            let _ = writeln!(text, "approximation: {approximation}");
        }
        if let Some(accesses) = self.conflicting_accesses {
            let _ = writeln!(text, "accesses: {accesses}");
        }
        for lemma in self.invariant.iter().flatten() {
            let _ = writeln!(text, "invariant: {lemma}");
        }
        for contract in &self.contracts {
            let Contract {
                thread,
                relies_on,
                guarantees,
            } = contract;
            for kept in relies_on {
                let _ = writeln!(text, "{thread} relies on the others: they keep {kept}");
            }
            for kept in guarantees {
                let _ = writeln!(text, "{thread} guarantees: it keeps {kept}");
            }
        }
        if let Some(evidence) = self.evidence_line() {
            let _ = writeln!(text, "evidence: {evidence}");
        }
        for property in &self.properties {
            let _ = writeln!(text, "{}: {}", property.name, property.verdict.words());
        }
        let _ = writeln!(text, "{}", self.verdict_line());
        text
    }

    /// Why the answer can be believed, in words that are the same in all runs.
    fn evidence_line(&self) -> Option<&str> {
        let evidence = self.evidence.as_deref()?;
        Some(match self.verdict {
            Verdict::Safe if self.side_by_side && evidence.ends_with(FOR_ANY_NUMBER) => {
                "a proof for any number of threads, checked without the engine that found it (--json tells which)"
            }
            Verdict::Safe if self.side_by_side => {
                "a proof, checked without the engine that found it (--json tells which)"
            }
            Verdict::Safe | Verdict::Unsafe { .. } | Verdict::Unknown { .. } => evidence,
        })
    }

    /// The last line of the text. SAFE that rests on the yields of edited bitcode says so, or on what functions do that are not defined.
    pub fn verdict_line(&self) -> String {
        self.assumptions.under(&self.verdict)
    }
}

/// A result as a JSON document, with a final newline.
pub(crate) fn document(result: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(result)
        .expect("a result has no maps with keys other than strings");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_is_the_last_line_of_the_text() {
        let mut report = Report::undecided(Verdict::Safe);
        report.evidence = Some("checked".into());
        report.unsupported.push("inline assembly at a.c:3".into());
        assert_eq!(
            report.to_text(Rendering::default()).lines().last(),
            Some("VERDICT: SAFE")
        );
    }

    #[test]
    fn each_property_has_a_line_and_the_worst_is_the_verdict() {
        let reports = [Verdict::Safe, Verdict::unknown("time"), Verdict::Safe];
        let reports = reports.map(|verdict| (Property::UnreachCall, Report::undecided(verdict)));
        let text = Report::worst(reports.to_vec(), Vec::new()).to_text(Rendering::default());
        assert_eq!(
            text,
            "unreach-call: SAFE\nunreach-call: UNKNOWN (time)\nunreach-call: SAFE\nVERDICT: UNKNOWN (time)\n"
        );
        let [first, ..] = reports;
        let alone = Report::worst(vec![first], Vec::new());
        assert_eq!(alone.to_text(Rendering::default()), "VERDICT: SAFE\n");
    }

    #[test]
    fn what_is_open_is_never_safe() {
        let open = PropertyVerdict {
            name: "valid-memcleanup".into(),
            verdict: Verdict::unknown("not supported"),
        };
        let text = |verdicts: &[Verdict]| {
            let reports = verdicts.iter().cloned();
            let reports = reports.map(|verdict| (Property::ValidDeref, Report::undecided(verdict)));
            Report::worst(reports.collect(), vec![open.clone()]).to_text(Rendering::default())
        };
        let line = "valid-memcleanup: UNKNOWN (not supported)";
        assert_eq!(
            text(&[Verdict::Safe]),
            format!("valid-deref: SAFE\n{line}\nVERDICT: UNKNOWN (not supported)\n")
        );
        assert_eq!(
            text(&[Verdict::unknown("time")]),
            format!("valid-deref: UNKNOWN (time)\n{line}\nVERDICT: UNKNOWN (time)\n")
        );
        let nothing = "VERDICT: UNKNOWN (no property was asked for)\n";
        assert_eq!(text(&[]), nothing);
    }

    #[test]
    fn the_text_does_not_tell_which_engine_was_first() {
        let text = |evidence: &str, side_by_side| {
            let mut report = Report::undecided(Verdict::Safe);
            report.evidence = Some(evidence.into());
            report.side_by_side = side_by_side;
            report.to_text(Rendering::default())
        };
        assert_eq!(text("83 states", true), text("induction", true));
        assert_ne!(text("83 states", false), text("induction", false));
    }

    #[test]
    fn the_document_names_verdict_and_place() {
        let verdict = Verdict::Unsafe {
            property: "assertion".into(),
            file: "a.c".into(),
            line: 4,
            related: None,
        };
        let document: serde_json::Value =
            serde_json::from_str(&Report::undecided(verdict).to_json()).expect("valid JSON");
        assert_eq!(document["verdict"], "UNSAFE");
        assert_eq!(
            (&document["file"], &document["line"]),
            (&"a.c".into(), &4.into())
        );
    }
}
