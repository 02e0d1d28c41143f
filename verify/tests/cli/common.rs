//! Running the binary, and what it says.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub const VERIFY: &str = env!("CARGO_BIN_EXE_verify");
pub const SAFE: &str = "peterson.c";
pub const UNSAFE: &str = "peterson_broken.c";

/// The product of two primes of 32 bits, which no engine finds within seconds.
pub const FACTORING: &str = "#include <assert.h>
unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
  if (a > 1 && b > 1 && a <= 4294967295 && b <= 4294967295)
    assert(a * b != 9345208821757322069UL);
  return 0;
}
";

pub fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../c-examples")
}

/// Runs in the folder of the examples, so that they are named without a path.
pub fn verify(arguments: &[&str]) -> Output {
    verify_in(&examples(), arguments)
}

fn verify_in(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(VERIFY);
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null());
    command.output().expect("the binary runs")
}

/// Runs on a program given as text, in a directory of its own.
pub fn verify_text(name: &str, text: &str, arguments: &[&str]) -> Output {
    let directory = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(directory.path().join(name), text).expect("the directory is writable");
    verify_in(directory.path(), &[&[name], arguments].concat())
}

pub fn verify_bytes(bytes: &[u8], arguments: &[&str]) -> Output {
    let mut child = Command::new(VERIFY)
        .args(arguments)
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

/// What clang makes of an example.
pub fn bitcode(example: &str) -> Vec<u8> {
    let compiled = Command::new("clang-19")
        .args(["-O0", "-g", "-emit-llvm", "-c", "-o", "-", example])
        .current_dir(examples())
        .output()
        .expect("clang-19 runs");
    assert!(compiled.status.success(), "{}", stderr(&compiled));
    compiled.stdout
}

/// Runs a shell script in the folder of the examples; `$verify` is the binary.
pub fn shell(script: &str) -> Output {
    Command::new("sh")
        .args(["-c", script])
        .env("verify", VERIFY)
        .current_dir(examples())
        .stdin(Stdio::null())
        .output()
        .expect("the shell runs")
}

/// As [`shell`], with a terminal as standard input, output and error; what it shows is the standard output.
pub fn terminal(script: &str) -> Output {
    Command::new("script")
        .args(["-q", "-e", "-c", script, "/dev/null"])
        .env("verify", VERIFY)
        .env("TERM", "xterm")
        .current_dir(examples())
        .stdin(Stdio::null())
        .output()
        .expect("script (util-linux) runs")
}

pub fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal ended the binary")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn last_line(output: &Output) -> String {
    stdout(output).lines().last().unwrap_or_default().to_owned()
}

/// There is no verdict but this exit code, and the message contains all `words`.
pub fn assert_refused(output: &Output, exit_code: i32, words: &[&str]) {
    let message = stderr(output);
    assert_eq!(code(output), exit_code, "{message}");
    assert!(output.stdout.is_empty(), "results were printed");
    assert!(message.starts_with("error: "), "{message}");
    for word in words {
        assert!(message.contains(word), "`{word}` is missing in: {message}");
    }
}

/// The verdict is UNKNOWN, and its line contains all `words`.
pub fn assert_unknown(output: &Output, words: &[&str]) {
    let line = last_line(output);
    assert_eq!(code(output), 5, "{line} {}", stderr(output));
    assert!(line.starts_with("VERDICT: UNKNOWN ("), "{line}");
    for word in words {
        assert!(line.contains(word), "`{word}` is missing in: {line}");
    }
}
