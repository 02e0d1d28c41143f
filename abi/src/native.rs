//! What a native run of instrumented bitcode is told by its environment, and what it says of its end.

/// Environment variable: the file with the [`crate::turns::Turns`] that the run has to follow.
pub const REPLAY_VARIABLE: &str = "MAZURKA_REPLAY";

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
