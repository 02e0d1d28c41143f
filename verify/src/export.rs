//! `verify export`: the system that the engines are given, for other tools.

use std::fmt::Write;

use modular::{Rule, clauses};
use system::budget::Budget;
use system::export::{btor2, chc, vmt};

use crate::command::{ExportOptions, Format, RuleChoice};
use crate::property_option::PropertyOption;
use crate::task::prepare;
use crate::verdict::Failure;
use crate::{IS_APART, refuse_fairness_to_nothing};

/// The text of the exported system; comments at its head say what it is.
///
/// # Errors
/// The program cannot be read.
pub fn export(options: &ExportOptions) -> Result<String, Failure> {
    if let Some(open) = options.program.open().first() {
        return Err(Failure::Usage(format!(
            "the property {} is not supported, so that no export has it: `--property {}` leaves it out",
            open.name,
            PropertyOption::from_iter(options.program.verified())
        )));
    }
    if options.rule.is_some() && options.format != Format::Smt2Chc {
        return Err(Failure::Usage(
            "--rule is for Horn clauses: say --format smt2-chc, too".into(),
        ));
    }
    refuse_fairness_to_nothing(&options.program)?;
    let verified = options.program.verified();
    if verified.len() > 1 && verified.contains(&IS_APART) {
        return Err(Failure::Usage(format!(
            "`{IS_APART}` is looked for in a system of its own: export the other properties without it"
        )));
    }
    let task = prepare(&options.program)?;
    let mut text = String::new();
    for line in task.description_of_encoding() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "; {}", line.replace(char::is_control, " "));
    }
    if !task.program.families.is_empty() {
        text += "; Some threads stand for any number of others. A proof is about all of them if its invariant is about all but one\n\
                 ; of those that stand for the same ones, whichever that is.\n";
    }
    let encoded = task.encoded();
    let by_threads = |rule| {
        let threaded = encoded.threaded(encoded.system.clone(), &Budget::unlimited());
        let threaded = threaded.map_err(|reason| Failure::Internal(reason.to_string()))?;
        Ok(clauses(&threaded, rule).print())
    };
    text += &match (options.format, options.rule) {
        (Format::Btor2, _) => btor2::print(&encoded.system),
        (Format::Vmt, _) => vmt::print(&encoded.system),
        (Format::Smt2Chc, Some(RuleChoice::OwickiGries)) => by_threads(Rule::OwickiGries)?,
        (Format::Smt2Chc, Some(RuleChoice::RelyGuarantee)) => by_threads(Rule::RelyGuarantee)?,
        (Format::Smt2Chc, Some(RuleChoice::Inductive) | None) => chc::print(&encoded.system),
    };
    Ok(text)
}
