//! Certificates: written for proofs, checked on their own, rejected when changed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::common::{
    SAFE, UNSAFE, VERIFY, assert_refused, assert_unknown, code, last_line, stderr, stdout, verify,
    verify_text,
};

/// Without a program.
const OF_SYSTEM: &str = "CERTIFICATE: HOLDS (of its system; name the program to compare)";

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
        let alone = check(&file, &["--checker", "z3"]);
        assert_eq!((last_line(&alone).as_str(), code(&alone)), (OF_SYSTEM, 0));
        let checked = check(&file, &["--checker", "z3", example]);
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
            "; never: violation of unreach-call",
        ] {
            assert!(head.lines().any(|found| found == line), "{line}");
        }
    }
}

/// The states of a search are a certificate, too, and need the program to be checked.
#[test]
fn a_search_certifies_its_states() {
    for engine in ["explicit", "explicit-reduced"] {
        search_certifies_its_states(engine);
    }
}

fn search_certifies_its_states(engine: &str) {
    let (_directory, file) = place();
    let proved = certify(SAFE, engine, &file);
    assert_eq!((code(&proved), stderr(&proved).as_str()), (0, ""));
    let checked = check(&file, &[SAFE]);
    assert_eq!(
        last_line(&checked),
        "CERTIFICATE: HOLDS",
        "{}",
        stderr(&checked)
    );
    assert!(stdout(&checked).contains("every successor is among them: confirmed"));
    assert_refused(&check(&file, &[]), 1, &["the program is needed"]);
    let text = fs::read_to_string(&file).expect("it was written");
    let lines: Vec<&str> = text.lines().collect();
    let without_last = lines[..lines.len() - 1].join("\n");
    fs::write(&file, without_last).expect("the file is ours");
    let incomplete = check(&file, &[SAFE]);
    assert_eq!(code(&incomplete), 6);
    let line = last_line(&incomplete);
    assert!(
        line.starts_with("CERTIFICATE: REFUTED (states: a successor "),
        "{line}"
    );
    fs::write(&file, text.replacen("state 0", "state 77777", 1)).expect("the file is ours");
    assert_refused(
        &check(&file, &[SAFE]),
        2,
        &["proof.smt2:", "a thread is not at"],
    );
}

/// Refutations of all orders of events need the program, too. With a refined order there are cycles, each of which is checked.
#[test]
fn orders_of_events_are_certified() {
    for (example, scheduling, has_cycles) in [
        ("counter_mutex.c", "encoded", false),
        ("counter_atomic_steps.c", "refined", true),
    ] {
        let (_directory, file) = place();
        let path = file.to_string_lossy();
        let words = [
            "--engine=eventgraph",
            "--property=unreach-call",
            "--scheduling",
            scheduling,
        ];
        let proved = verify(&[&[example, "--certificate", &path], &words[..]].concat());
        assert_eq!((code(&proved), stderr(&proved).as_str()), (0, ""));
        assert_refused(&check(&file, &[]), 1, &["the program is needed"]);
        let text = fs::read_to_string(&file).expect("it was written");
        let check_text = |text: &str| {
            fs::write(&file, text).expect("the file is ours");
            check(&file, &["--checker", "z3", example])
        };
        let checked = check_text(&text);
        assert_eq!(last_line(&checked), "CERTIFICATE: HOLDS", "{example}");
        let cycles = stdout(&checked).lines().next().map(str::to_owned);
        let none = "cycles: the events of each of these 0 have no order: confirmed";
        assert_eq!(cycles.as_deref() != Some(none), has_cycles, "{cycles:?}");
        assert!(stdout(&checked).contains(": unsat (z3)\n"));

        for (from, to, why) in [
            (
                "(assert ",
                "(assert false)(assert ",
                "another formula follows",
            ),
            ("(assert ", "", "another formula follows"),
            ("(reset)\n", "(exit)\n", "another formula follows"),
            (
                "\"loops\":[",
                "\"loops\":[[9,9,9]",
                "a loop that is not there",
            ),
            (
                "\"objects\":[",
                "\"objects\":[[999,9]",
                "an object that is not there",
            ),
        ] {
            let changed = match text.contains(from) {
                true => text.replacen(from, to, 1),
                false => text.clone() + to,
            };
            let refuted = check_text(&changed);
            assert_eq!(code(&refuted), 6, "{to}: {}", stderr(&refuted));
            assert!(last_line(&refuted).contains(why), "{}", last_line(&refuted));
        }
        let cut = text.replacen("\"bits\":8", "\"bits\":", 1);
        assert_refused(&check_text(&cut), 2, &["proof.smt2:", "no unwinding"]);
    }
}

/// Whichever engine is first.
#[test]
fn there_is_no_safe_without_a_certificate() {
    for example in [SAFE, "counter_mutex.c", "atomic_function.c"] {
        let (_directory, file) = place();
        let proved = certify(example, "portfolio", &file);
        assert_eq!((code(&proved), stderr(&proved).as_str()), (0, ""));
        let checked = check(&file, &[example]);
        assert_eq!(
            last_line(&checked),
            "CERTIFICATE: HOLDS",
            "{}",
            stderr(&checked)
        );
    }
}

/// The digest of one certificate in another one.
fn with_digest_of(text: &str, other: &str) -> String {
    let digest = |text: &str| {
        let mut lines = text.lines().filter(|line| line.starts_with("; digest: "));
        lines.next().expect("it says its program").to_owned()
    };
    text.replace(&digest(text), &digest(other))
}

#[test]
fn a_certificate_of_another_program_is_refuted() {
    // The same but for one statement, so that a certificate of each can be had.
    let programs = ["flag = any | 1;", "flag = any | 2;"].map(|statement| {
        format!("void reach_error(void);\nunsigned char __VERIFIER_nondet_uchar(void);\nstatic int flag;\nint main(void) {{\n  unsigned char any = __VERIFIER_nondet_uchar();\n  {statement}\n  if (!flag) reach_error();\n  return 0;\n}}\n")
    });
    for engine in ["ic3", "bmc", "explicit", "explicit-reduced", "eventgraph"] {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let place = |name: &str| directory.path().join(name);
        for (number, text) in programs.iter().enumerate() {
            let [file, proof] = [
                place(&format!("{number}.c")),
                place(&format!("{number}.smt2")),
            ];
            fs::write(&file, text).expect("the directory is writable");
            assert_eq!(code(&certify(&file.to_string_lossy(), engine, &proof)), 0);
        }
        let [first, second] = ["0.c", "1.c"].map(|name| place(name).to_string_lossy().into_owned());
        let proof = place("0.smt2");
        let holds = check(&proof, &[&first]);
        assert_eq!(last_line(&holds), "CERTIFICATE: HOLDS", "{engine}");
        // A program is the same wherever it lies.
        let elsewhere = place("elsewhere.c");
        fs::copy(&first, &elsewhere).expect("the directory is writable");
        let holds = check(&proof, &[&elsewhere.to_string_lossy()]);
        assert_eq!(last_line(&holds), "CERTIFICATE: HOLDS", "{engine}");
        let refuted = |because: &str| {
            let checked = check(&proof, &[&second]);
            let line = last_line(&checked);
            assert!(
                line.starts_with("CERTIFICATE: REFUTED ("),
                "{engine}: {line}"
            );
            assert!(line.contains(because), "{engine}: {line}");
            assert_eq!(code(&checked), 6);
        };
        refuted("it is about a program with other bitcode");
        if engine == "eventgraph" {
            // Neither program has a run of which a formula is needed.
            continue;
        }
        let read = |name: &str| fs::read_to_string(place(name)).expect("it was written");
        let forged = with_digest_of(&read("0.smt2"), &read("1.smt2"));
        fs::write(&proof, forged).expect("the directory is writable");
        refuted(match engine {
            "explicit" | "explicit-reduced" => "states: a successor",
            _ => "it is about another system: ",
        });
    }
}

/// A certificate cannot have clang run code, nor have yields believed.
#[test]
fn what_is_trusted_is_not_taken_from_a_certificate() {
    let (_directory, file) = place();
    let path = file.to_string_lossy();
    let argument = "--clang-arg=-DROUNDS=1";
    let proved = verify(&["counter_mutex.c", argument, "--certificate", &path]);
    assert_eq!(code(&proved), 0, "{}", stderr(&proved));
    let words = ["--clang-arg=-DROUNDS=1", "give the same"];
    assert_refused(&check(&file, &["counter_mutex.c"]), 1, &words);
    let holds = check(&file, &["counter_mutex.c", argument]);
    assert_eq!(
        last_line(&holds),
        "CERTIFICATE: HOLDS",
        "{}",
        stderr(&holds)
    );
    let text = fs::read_to_string(&file).expect("it was written");
    for (added, code, words) in [
        ("--trust-instrumentation", 1, "--trust-instrumentation"),
        ("other.c", 2, "name a file"),
        ("--engine=bmc", 2, "none of this version"),
    ] {
        let last = "\"--clang-arg=-DROUNDS=1\"";
        let changed = text.replace(last, &format!("{last},\"{added}\""));
        fs::write(&file, changed).expect("the file is ours");
        let refused = check(&file, &["counter_mutex.c", argument]);
        assert_refused(&refused, code, &[words]);
    }
}

#[test]
fn without_a_proof_no_certificate_is_written() {
    let (_directory, file) = place();
    let violated = certify(UNSAFE, "bmc", &file);
    assert_eq!((code(&violated), stderr(&violated).as_str()), (10, ""));
    assert!(!file.exists());
}

#[test]
fn a_certificate_that_cannot_be_written_leaves_no_safe() {
    for engine in ["ic3", "explicit"] {
        let output = certify(SAFE, engine, Path::new("/dev/full"));
        let words = [
            "a proof was found",
            "cannot write the certificate to `/dev/full`",
        ];
        assert_unknown(&output, &words);
    }
    // A program is not overwritten, whatever it is called.
    let copy = verify_text(
        "given.c",
        "int main(void) { return 0; }\n",
        &["--certificate", "./given.c"],
    );
    assert_refused(&copy, 1, &["that is the program"]);
    // The program does not exist: the verifier refuses the option before it reads the program.
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
    let argument = "; argument: inductive invariant\n";
    let trusting = text.replacen(argument, "; argument: trust me\n", 1);
    refused(&trusting, "the argument is none that is known");
    fs::write(&file, [0xff, 0xfe]).expect("the directory is writable");
    assert_refused(&check(&file, &[]), 2, &["no text"]);
    assert_refused(&check(Path::new("missing.smt2"), &[]), 2, &["missing.smt2"]);
    // A list of words, and no term of SMT-LIB.
    let ill_sorted = with_invariant("(bvult true true)");
    refused(&ill_sorted, "bvult does not take these operands");
}

#[test]
fn all_solvers_that_are_there_are_asked() {
    let (_directory, file) = place();
    assert_eq!(code(&certify(SAFE, "ic3", &file)), 0);
    let yes = "echo unsat";
    let both = check_with(&file, &[], &[("z3", yes), ("cvc5", yes)]);
    assert_eq!(last_line(&both), OF_SYSTEM);
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
