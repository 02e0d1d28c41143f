//! What a native run of instrumented bitcode is told by its environment, and what it says of its end.

use std::fmt::Display;

/// Environment variable: the file with the [`crate::turns::Turns`] that the run has to follow.
pub const REPLAY_VARIABLE: &str = "MAZURKA_REPLAY";

/// Environment variable: if it is set, the run takes the first [`SECRET_BYTES`] bytes of standard input for a secret, and writes what it
/// says of its end to what was standard output as well, each line as [`report_line`] has it. The program itself has neither then, but
/// `/dev/null`, so that it cannot speak in the runtime's place.
pub const REPORT_VARIABLE: &str = "MAZURKA_REPORT";

/// How long the secret is.
pub const SECRET_BYTES: usize = 16;

/// What the runtime says of the end of a run, behind the secret that shows that it is the runtime; ends in a line break.
pub fn report_line(secret: &[u8; SECRET_BYTES], text: &dyn Display) -> String {
    let digits = secret.iter().map(|byte| format!("{byte:02x}"));
    format!("{} {text}\n", digits.collect::<String>())
}

/// What the runtime says in this line, if it knows the secret.
pub fn reported<'a>(secret: &[u8; SECRET_BYTES], line: &'a str) -> Option<&'a str> {
    let prefix = report_line(secret, &"");
    line.strip_prefix(prefix.trim_end_matches('\n'))
}

/// Environment variable: the number from which a run that follows nothing draws its scheduling and its inputs. Equal numbers
/// give equal runs.
pub const SEED_VARIABLE: &str = "MAZURKA_SEED";

/// Environment variable: if it is set, the run checks that no thread waits in the post phase of a transaction.
pub const CHECK_VARIABLE: &str = "MAZURKA_CHECK";

/// What every line that the runtime writes to standard error starts with.
pub const PREFIX: &str = "mazurka: ";

/// What follows [`PREFIX`] when the property is violated; then come the thread, ` at `, and `file:line` if that is known.
/// The process ends by `abort`, as it does without the runtime.
pub const VIOLATED: &str = "violated by ";

/// Exit status: every thread has ended or waits for ever, and some wait.
pub const STATUS_STUCK: i32 = 120;

/// Exit status: the run went where the model ends: a limit, undefined behaviour or a construct that is not read.
pub const STATUS_LIMIT: i32 = 121;

/// Exit status: the run cannot follow its turns, or a check of [`CHECK_VARIABLE`] failed.
pub const STATUS_FAULT: i32 = 122;
