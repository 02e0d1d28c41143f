//! `verify export`: the system that the engines are given, for other tools.

use std::fmt::Write;

use system::export::{btor2, chc, vmt};

use crate::command::{ExportOptions, Format};
use crate::property_option::PropertyOption;
use crate::task::prepare;
use crate::verdict::Failure;

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
    let task = prepare(&options.program)?;
    let mut text = String::new();
    for line in task.description_of_encoding() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "; {}", line.replace(char::is_control, " "));
    }
    let print = match options.format {
        Format::Btor2 => btor2::print,
        Format::Vmt => vmt::print,
        Format::Smt2Chc => chc::print,
    };
    Ok(text + &print(&task.encoded().system))
}
