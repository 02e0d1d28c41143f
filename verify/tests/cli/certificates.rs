//! Certificates: written for proofs, checked on their own, rejected when changed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::common::{
    SAFE, UNSAFE, VERIFY, assert_refused, code, last_line, stderr, stdout, verify,
};

fn place() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("proof.smt2");
    (directory, file)
}

fn certify(example: &str, engine: &str, file: &Path) -> Output {
    let file = file.to_string_lossy();
    verify(&[example, "--engine", engine, "--certificate", &file])
}

fn check(file: &Path, arguments: &[&str]) -> Output {
    verify(&[&["check-certificate", &file.to_string_lossy()], arguments].concat())
}

/// Checks with nothing but these programs to be found, each a shell script of one line.
fn check_with(file: &Path, arguments: &[&str], programs: &[(&str, &str)]) -> Output {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (name, script) in programs {
        let program = directory.path().join(name);
        // A script that ends before it has read all is killed by the pipe; so it reads first.
        let text = format!("#!/bin/sh\n/bin/cat > /dev/null\n{script}\n");
        fs::write(&program, text).expect("the directory is writable");
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(&program, executable).expect("the file is ours");
    }
    Command::new(VERIFY)
        .arg("check-certificate")
        .arg(file)
        .args(arguments)
        .env("PATH", directory.path())
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs")
}

#[test]
fn every_symbolic_engine_certifies_its_proofs() {
    for (example, engine, obligations) in [
        (SAFE, "ic3", "initiation consecution safety"),
        (SAFE, "ic3-exact", "initiation consecution safety"),
        ("counter_mutex.c", "bmc", "base end"),
        (
            "atomic_function.c",
            "kind",
            "initiation consecution base step",
        ),
    ] {
        let (_directory, file) = place();
        let proved = certify(example, engine, &file);
        assert_eq!(
            (code(&proved), stderr(&proved).as_str()),
            (0, ""),
            "{engine}"
        );
        let checked = check(&file, &["--checker", "z3"]);
        assert_eq!(last_line(&checked), "CERTIFICATE: HOLDS", "{engine}");
        assert_eq!(code(&checked), 0);
        let text = stdout(&checked);
        let names: Vec<&str> = text
            .lines()
            .filter(|line| line.ends_with(": unsat (z3)"))
            .filter_map(|line| line.split(':').next())
            .collect();
        assert!(names.join(" ").starts_with(obligations), "{engine}: {text}");
        assert_eq!(names.len() + 1, text.lines().count(), "{text}");
        let head = fs::read_to_string(&file).expect("it was written");
        for line in [
            &format!("; program: {example}"),
            "; reduction: static",
            "; bounds: --threads 3 --heap 5 --recursion 8 --cells 4096",
            "; never: error",
        ] {
            assert!(head.lines().any(|found| found == line), "{line}");
        }
    }
}

#[test]
fn a_search_has_no_certificate_and_says_so() {
    let (_directory, file) = place();
    let proved = certify(SAFE, "explicit", &file);
    assert_eq!(last_line(&proved), "VERDICT: SAFE");
    assert_eq!(code(&proved), 0);
    let message = stderr(&proved);
    assert!(message.contains("there is no certificate") && message.contains("--engine ic3"));
    assert!(!file.exists());
}

#[test]
fn without_a_proof_no_certificate_is_written() {
    let (_directory, file) = place();
    let violated = certify(UNSAFE, "bmc", &file);
    assert_eq!((code(&violated), stderr(&violated).as_str()), (10, ""));
    assert!(!file.exists());
}

#[test]
fn a_certificate_that_cannot_be_written_does_not_lose_the_verdict() {
    let output = certify(SAFE, "ic3", Path::new("/dev/full"));
    assert_eq!(last_line(&output), "VERDICT: SAFE");
    assert_eq!(code(&output), 0);
    assert!(stderr(&output).contains("cannot write the certificate to `/dev/full`"));
    // The program does not exist: nobody looked at it.
    let output = certify("missing.c", "ic3", Path::new("/no/such/directory"));
    assert_refused(&output, 1, &["/no/such/directory", "--certificate"]);
}

#[test]
fn a_wrong_invariant_is_refuted_and_a_changed_file_refused() {
    let (_directory, file) = place();
    assert_eq!(code(&certify(SAFE, "ic3", &file)), 0);
    let text = fs::read_to_string(&file).expect("it was written");
    let check_text = |text: &str| {
        fs::write(&file, text).expect("the directory is writable");
        check(&file, &["--checker", "z3"])
    };
    let with_invariant = |body: &str| {
        let change = |line: &str| match line.strip_prefix("(define-fun invariant@") {
            Some(rest) => format!("(define-fun invariant@{} () Bool {body})", &rest[..1]),
            None => line.to_owned(),
        };
        let lines: Vec<String> = text.lines().map(change).collect();
        lines.join("\n") + "\n"
    };
    for (body, obligation) in [("true", "safety"), ("false", "initiation")] {
        let refuted = check_text(&with_invariant(body));
        assert_eq!(code(&refuted), 6, "{}", stderr(&refuted));
        let expected = format!("CERTIFICATE: REFUTED ({obligation} by z3)");
        assert_eq!(last_line(&refuted), expected);
        let line = format!("{obligation}: ");
        let printed = stdout(&refuted);
        let mut lines = printed.lines();
        assert!(lines.any(|found| found.starts_with(&line) && found.ends_with(": sat (z3)")));
    }
    let name = file.to_string_lossy().into_owned();
    let refused = |text: &str, cause: &str| {
        let output = check_text(text);
        let line = format!("{name}:");
        assert_refused(&output, 2, &[&line, cause, "verify --certificate"]);
    };
    let cut = text.rsplit_once("; obligation").expect("an obligation").0;
    refused(cut, "is expected");
    refused(&format!("{text}(exit)\n"), "the end of the file");
    refused(&text.replacen("(push 1)", "(reset)", 1), "`(push 1)`");
    refused(
        &text.replacen("(assert ", "(assert false)(assert ", 1),
        "is expected",
    );
    refused("", "comments are expected");
    refused("; argument: trust me\n", "argument");
    fs::write(&file, [0xff, 0xfe]).expect("the directory is writable");
    assert_refused(&check(&file, &[]), 2, &["no text"]);
    assert_refused(&check(Path::new("missing.smt2"), &[]), 2, &["missing.smt2"]);
    // Well formed, but no terms of SMT-LIB: the solver finds out.
    let ill_sorted = check_text(&with_invariant("(bvult true true)"));
    assert_refused(&ill_sorted, 2, &["z3", "initiation"]);
}

#[test]
fn all_solvers_that_are_there_are_asked() {
    let (_directory, file) = place();
    assert_eq!(code(&certify(SAFE, "ic3", &file)), 0);
    let yes = "echo unsat";
    let both = check_with(&file, &[], &[("z3", yes), ("cvc5", yes)]);
    assert_eq!(last_line(&both), "CERTIFICATE: HOLDS");
    assert!(stdout(&both).contains(": unsat (z3), unsat (cvc5)\n"));
    for (one, other, expected, exit_code) in [
        (yes, "echo sat", "REFUTED (initiation by cvc5)", 6),
        (
            "echo unknown",
            "echo sat",
            "REFUTED (initiation by cvc5)",
            6,
        ),
        (
            "echo unknown",
            yes,
            "UNKNOWN (z3: the solver does not know",
            5,
        ),
    ] {
        let output = check_with(&file, &[], &[("z3", one), ("cvc5", other)]);
        assert!(last_line(&output).contains(expected), "{}", stdout(&output));
        assert_eq!(code(&output), exit_code);
    }
    let slow = check_with(
        &file,
        &["--timeout", "0.2"],
        &[("z3", "exec /bin/sleep 60")],
    );
    // The solver's limit comes first, unless the machine is busy.
    let line = last_line(&slow);
    let limit = "time limit of 0.2 s; --timeout raises it)";
    assert!(
        line.starts_with("CERTIFICATE: UNKNOWN (") && line.ends_with(limit),
        "{line}"
    );
    assert_eq!(code(&slow), 5);
    let named = check_with(
        &file,
        &["--checker", "cvc5"],
        &[("z3", "echo sat"), ("cvc5", yes)],
    );
    assert_eq!((code(&named), stdout(&named).contains("z3")), (0, false));
    let missing = check_with(&file, &["--checker", "cvc5"], &[("z3", yes)]);
    assert_refused(&missing, 1, &["cvc5 is not installed", "--checker"]);
    let nothing = check_with(&file, &[], &[]);
    assert_refused(&nothing, 1, &["neither z3 nor cvc5"]);
    let failing = check_with(&file, &[], &[("z3", "echo unsat; exit 3")]);
    assert_refused(&failing, 2, &["z3", "initiation"]);
}
