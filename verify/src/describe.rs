//! Descriptions of the program that a transition system encodes, for the heads of files that other tools read.

use std::path::PathBuf;

use abi::text;
use frontend::input::is_standard;
use frontend::{Loaded, ReadOptions};
use program::threads::Bounds;
use system::transition_system::TransitionSystem;

use crate::program_options::ProgramOptions;
use crate::thread_bound::ThreadBound;

/// The program, its reduction, and the bounds under which it was read.
pub(crate) fn program(options: &ProgramOptions, loaded: &Loaded, bounds: &Bounds) -> Vec<String> {
    let standard = || "standard input".to_owned();
    let name = |file: &PathBuf| match is_standard(file) {
        true => standard(),
        false => text::path(file),
    };
    let files: Vec<String> = match options.files.is_empty() {
        true => vec![standard()],
        false => options.files.iter().map(name).collect(),
    };
    let default = options
        .recursion
        .unwrap_or(ReadOptions::default().recursion);
    let (reduction, recursion) = match &loaded.instrumentation {
        Some(planned) => (planned.reduction.clone(), planned.options.recursion),
        None => (reduction_name(options), default),
    };
    let threads = match options.threads {
        Some(bound @ ThreadBound::Any) => bound,
        Some(ThreadBound::AtMost(_)) | None => ThreadBound::AtMost(bounds.threads),
    };
    let heap = bounds.heap;
    let files = files.iter().map(|file| format!("program: {file}"));
    let mut lines: Vec<String> = files.collect();
    lines.extend([
        format!("reduction: {reduction}"),
        format!(
            "bounds: --threads {threads} --heap {heap} --recursion {recursion} --cells {}",
            options.cells
        ),
    ]);
    if options.is_fair() {
        lines.push("runs that go on for ever are fair: --fair".to_owned());
    }
    if loaded.options.abort_is_error {
        lines.push("abort is an error: --abort-is-error".to_owned());
    }
    let demanded = options.demanded.properties().unwrap_or_default();
    lines.extend(
        demanded
            .iter()
            .map(|property| format!("demanded: {property}")),
    );
    let arbitrary = loaded.program.arbitrary_functions.iter();
    lines.extend(arbitrary.map(|name| format!("returns any value: `{name}`")));
    if let Some(folder) = &options.compile_commands {
        lines.push(format!("compilation database: {}", text::path(folder)));
    }
    let arguments = options.clang_arguments.iter();
    lines
        .extend(arguments.map(|argument| format!("clang argument: {}", text::printable(argument))));
    lines
}

fn reduction_name(options: &ProgramOptions) -> String {
    let kinds = options.dynamic.iter().map(|kind| format!(" {kind}"));
    format!(
        "{}{}",
        options.planned_reduction(),
        kinds.collect::<String>()
    )
}

/// What is said never to happen.
pub(crate) fn properties(system: &TransitionSystem) -> Vec<String> {
    let names = system.properties.iter().map(|property| &property.name);
    names.map(|name| format!("never: {name}")).collect()
}
