//! The static library that native runs need. Tests of the command line include this file, too.

use std::process::Command;
use std::sync::Once;

/// Makes the library `runtime` where `verify` looks for it: cargo makes a static library only of the package that it is asked for.
pub fn make_library() {
    static MADE: Once = Once::new();
    MADE.call_once(|| {
        let this = std::env::current_exe().expect("the test has a path");
        let profile = this.ancestors().nth(2).expect("in deps of a profile");
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(["build", "--locked", "--package", "runtime", "--target-dir"])
            .arg(profile.parent().expect("in a target directory"));
        if profile.ends_with("release") {
            cargo.arg("--release");
        }
        assert!(cargo.status().expect("cargo runs").success());
    });
}
