//! What stands for `verify` in the tests of the binaries.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// The `verify` that belongs to this build; `cargo test -p bench` alone would not build it.
pub fn verify() -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_bench"))
        .parent()
        .expect("a folder");
    let verify = folder.join("verify");
    if verify.is_file() {
        return verify;
    }
    let mut build = Command::new(env!("CARGO"));
    build.args([
        "build",
        "--quiet",
        "--locked",
        "--package",
        "verify",
        "--bin",
        "verify",
    ]);
    if folder.ends_with("release") {
        build.arg("--release");
    }
    let target = folder.parent().expect("a target folder");
    let built = build.env("CARGO_TARGET_DIR", target).status();
    assert!(built.expect("cargo runs").success());
    verify
}

/// A program that takes any options and ends with an exit code.
pub fn always(folder: &TempDir, code: i32) -> PathBuf {
    script(folder, &format!("exit {code}"))
}

/// A program that consists of shell commands.
pub fn script(folder: &TempDir, commands: &str) -> PathBuf {
    let path = folder.path().join("verify");
    fs::write(&path, format!("#!/bin/sh\n{commands}\n")).expect("a file in the temporary folder");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    path
}
