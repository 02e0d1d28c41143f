//! The command line as a user meets it: verdict line, exit codes, bad input.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use abi::schedule::Schedule;

const SAFE: &str = "peterson.c";
const UNSAFE: &str = "peterson_broken.c";

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../c-examples")
        .join(name)
}

fn verify(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verify"));
    command.args(arguments).stdin(Stdio::null());
    command.output().expect("the binary runs")
}

/// Runs on a C program given as text, in a directory of its own.
fn verify_text(text: &str, arguments: &[&str]) -> Output {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("given.c");
    std::fs::write(&path, text).expect("the directory is writable");
    verify(&[&[path.to_string_lossy().as_ref()], arguments].concat())
}

fn verify_bytes(bytes: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_verify"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut input = child.stdin.take().expect("standard input is a pipe");
    input.write_all(bytes).expect("everything is read");
    drop(input);
    child.wait_with_output().expect("the binary ends")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal ended the binary")
}

fn last_line(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().last().unwrap_or_default().to_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The input is refused with exit code 2, and the message contains all `words`.
fn assert_unusable(output: &Output, words: &[&str]) {
    let message = stderr(output);
    assert_eq!(code(output), 2, "{message}");
    assert!(output.stdout.is_empty(), "results were printed");
    for word in words {
        assert!(message.contains(word), "`{word}` is missing in: {message}");
    }
}

#[test]
fn verdicts_and_exit_codes_belong_together() {
    let safe = verify(&[&example(SAFE).to_string_lossy()]);
    assert_eq!(
        (last_line(&safe).as_str(), code(&safe)),
        ("VERDICT: SAFE", 0)
    );
    let violated = verify(&[&example(UNSAFE).to_string_lossy()]);
    assert!(last_line(&violated).starts_with("VERDICT: UNSAFE (assertion) at "));
    assert_eq!(code(&violated), 10);
    let undecided = verify(&[
        &example(SAFE).to_string_lossy(),
        "--engine",
        "bmc",
        "--depth",
        "2",
    ]);
    assert_eq!(
        last_line(&undecided),
        "VERDICT: UNKNOWN (bmc: no violation up to depth 2)"
    );
    assert_eq!(code(&undecided), 5);
}

#[test]
fn json_is_one_document() {
    let output = verify(&[&example(UNSAFE).to_string_lossy(), "--json"]);
    let document: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!(document["verdict"], "UNSAFE");
    assert!(
        document["trace"]["rows"]
            .as_array()
            .is_some_and(|rows| !rows.is_empty())
    );
    assert_eq!(code(&output), 10);
}

#[test]
fn schedules_are_written_and_can_be_parsed() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("run.schedule");
    let path = file.to_string_lossy();
    let output = verify(&[&example(UNSAFE).to_string_lossy(), "--schedule-out", &path]);
    assert_eq!(code(&output), 10);
    let text = std::fs::read_to_string(&file).expect("the schedule was written");
    let schedule: Schedule = text.parse().expect("the schedule is well formed");
    assert!(schedule.events.len() > 1);
    let unwritable = directory.path().join("no/such/directory");
    let unwritable = unwritable.to_string_lossy();
    let output = verify(&[
        &example(UNSAFE).to_string_lossy(),
        "--schedule-out",
        &unwritable,
    ]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
}

#[test]
fn bitcode_is_read_from_standard_input() {
    let bitcode = Command::new("clang-19")
        .args(["-O0", "-g", "-emit-llvm", "-c", "-o", "-"])
        .arg(example(UNSAFE))
        .output()
        .expect("clang-19 runs");
    let output = verify_bytes(&bitcode.stdout);
    assert_eq!(code(&output), 10, "{}", stderr(&output));
    assert_unusable(
        &verify_bytes(&bitcode.stdout[..bitcode.stdout.len() / 2]),
        &["standard input"],
    );
}

#[test]
fn bad_input_is_refused_with_cause_and_remedy() {
    assert_unusable(&verify_bytes(b""), &["standard input"]);
    assert_unusable(&verify_bytes(b"no bitcode"), &["standard input", "bitcode"]);
    assert_unusable(&verify(&["missing.c"]), &["missing.c"]);
    assert_unusable(&verify(&["Cargo.toml"]), &["Cargo.toml", ".bc"]);
    assert_unusable(
        &verify_text("int helper(void) { return 1; }", &[]),
        &["main"],
    );
    assert_unusable(
        &verify_text("int main(void) { return undeclared; }", &[]),
        &["given.c", "undeclared"],
    );
}

#[test]
fn what_is_not_read_is_named_with_its_line() {
    let call = verify_text(
        "int measure(void);\nint main(void) {\n  return measure();\n}\n",
        &[],
    );
    assert_eq!(code(&call), 5);
    assert!(last_line(&call).contains("measure"), "{}", last_line(&call));
    assert!(
        last_line(&call).contains("given.c:3"),
        "{}",
        last_line(&call)
    );
    let assembly = verify_text(
        "int main(void) {\n  __asm__ volatile(\"nop\");\n  return 0;\n}\n",
        &[],
    );
    assert_eq!(code(&assembly), 5);
    assert!(
        last_line(&assembly).contains("given.c:2"),
        "{}",
        last_line(&assembly)
    );
    let floating = verify_text(
        "#include <assert.h>\nint main(int n, char **v) {\n  (void)v;\n  assert(n * 0.5 < 3);\n  return 0;\n}\n",
        &[],
    );
    assert_eq!(code(&floating), 5);
    assert!(
        last_line(&floating).contains("given.c:4"),
        "{}",
        last_line(&floating)
    );
}

#[test]
fn wrong_usage_has_its_own_exit_code() {
    assert_eq!(code(&verify(&["--engine", "magic", "a.c"])), 1);
    assert_eq!(code(&verify(&["--timeout", "soon", "a.c"])), 1);
    let version = verify(&["--version"]);
    assert_eq!(code(&version), 0);
    assert_eq!(String::from_utf8_lossy(&version.stdout).lines().count(), 1);
    assert!(version.stderr.is_empty());
}

#[test]
fn limits_are_named_and_never_a_verdict() {
    let slow = example("counter_mutex_long.c");
    let output = verify(&[&slow.to_string_lossy(), "--timeout", "0.01"]);
    assert_eq!(code(&output), 5);
    assert!(
        last_line(&output).starts_with("VERDICT: UNKNOWN (time limit"),
        "{}",
        last_line(&output)
    );
}
