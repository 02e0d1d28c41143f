//! The binary `bench-paper`: what it writes, what it does not repeat, and when it fails.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::{always, script, verify};
use tempfile::TempDir;

fn bench_paper(verify: &Path, out: &Path, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bench-paper"))
        .args(["--quick", "--verify"])
        .arg(verify)
        .arg("--out")
        .arg(out)
        .args(options)
        .output()
        .expect("it starts")
}

/// A folder with two programs, and something else.
fn set(folder: &TempDir) -> PathBuf {
    let set = folder.path().join("set");
    fs::create_dir(&set).expect("a folder in the temporary folder");
    let program = |right| {
        format!(
            "extern void reach_error(void);\nint main(void) {{ if (!{right}) reach_error(); return 0; }}\n"
        )
    };
    for (name, text) in [
        ("one_true-unreach-call.i", program("1")),
        ("two_false-unreach-call.c", program("0")),
        ("notes.txt", "nothing".to_owned()),
    ] {
        fs::write(set.join(name), text).expect("a file in the temporary folder");
    }
    set
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect(name)
}

fn log(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn an_experiment_and_a_set_are_measured_and_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (set, out) = (set(&folder), folder.path().join("out"));
    let options = ["hash-table-1", "--set", &set.to_string_lossy()];
    let output = bench_paper(&verify(), &out, &options);
    assert!(output.status.success(), "{}", log(&output));

    let csv = read(&out, "experiments.csv");
    for (row, configuration) in csv.lines().skip(1).zip([
        "ic3-static",
        "ic3-phase",
        "ic3-dynamic",
        "bmc-static",
        "bmc-phase",
        "bmc-dynamic",
    ]) {
        let start = format!("hash-table-1,hash_table_found,THREADS,1,{configuration},1,");
        assert!(row.starts_with(&start), "{row}");
    }
    // Two sizes of one experiment.
    assert_eq!(csv.lines().count(), 1 + 2 * 6);

    let set_csv = read(&out, "set.csv");
    for configuration in ["ic3-none", "ic3-static", "ic3-phase", "ic3-dynamic"] {
        for (name, verdict) in [("one_true", "safe"), ("two_false", "unsafe")] {
            let row = set_csv
                .lines()
                .find(|row| row.starts_with(name) && row.contains(configuration));
            assert!(row.is_some_and(|row| row.contains(&format!(",{verdict},"))));
        }
    }
    let page = read(&out, "paper.md");
    for text in [
        "\n| 2 | ",
        "| decided | 2 of 2 | 2 of 2 | 2 of 2 | 2 of 2 |",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    for plot in ["hash-table-1.svg", "set.svg"] {
        assert!(page.contains(plot) && read(&out, plot).starts_with("<svg"));
    }
}

#[test]
fn what_was_run_is_run_again_only_if_something_changed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (set, out) = (set(&folder), folder.path().join("out"));
    let calls = folder.path().join("calls");
    let counting = format!("echo >> {}; exit 5", calls.display());
    let program = set.join("two_false-unreach-call.c");
    let count = |options: &[&str]| {
        let before = fs::read_to_string(&calls).map_or(0, |text| text.lines().count());
        let shown = set.to_string_lossy();
        let options = [&["--only-set", "--set", &shown], options].concat();
        let output = bench_paper(&folder.path().join("verify"), &out, &options);
        assert!(output.status.success(), "{}", log(&output));
        assert_eq!(read(&out, "set.csv").lines().count(), 1 + 2 * 4);
        read(folder.path(), "calls").lines().count() - before
    };
    script(&folder, &counting);
    assert_eq!(count(&[]), 8, "nothing is known");
    assert_eq!(count(&[]), 0, "everything is known");
    assert_eq!(count(&["--timeout=7"]), 8, "other limits");
    fs::write(&program, "int main(void) { return 0; }\n").expect("it is ours");
    assert_eq!(count(&[]), 4, "another program");
    fs::write(set.join("shared.h"), "int shared;\n").expect("it is ours");
    assert_eq!(count(&[]), 8, "another header");
    script(&folder, &format!("{counting} # changed"));
    assert_eq!(count(&[]), 8, "another binary");
    script(&folder, &counting);
    assert_eq!(count(&[]), 0, "the first binary again");
}

#[test]
fn a_size_beyond_an_undecided_one_is_skipped() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = bench_paper(&always(&folder, 5), folder.path(), &["lazy-init"]);
    assert!(output.status.success(), "{}", log(&output));
    let csv = read(folder.path(), "experiments.csv");
    let sized = |size: &str, rest: &str| {
        let start = format!("lazy-init,lazy_init,THREADS,{size},");
        let rows = csv.lines().filter(|row| row.starts_with(&start));
        rows.filter(|row| row.contains(rest)).count()
    };
    assert_eq!(
        (sized("1", ",1,unknown,"), sized("2", ",,skipped,,")),
        (6, 6)
    );
    let page = read(folder.path(), "paper.md");
    assert!(page.contains("| 2 | - | - | - | - | - | - |"), "{page}");
}

#[test]
fn wrong_verdicts_fail_and_are_named_also_when_they_are_remembered() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let set = set(&folder);
    let verify = always(&folder, 10);
    for _ in 0..2 {
        let options = ["dynamic-locking", "--set", &set.to_string_lossy()];
        let output = bench_paper(&verify, folder.path(), &options);
        let log = log(&output);
        assert_eq!(output.status.code(), Some(1), "{log}");
        for text in [
            "WRONG: dynamic_locking with THREADS=2 (dynamic-locking): expected safe, but bmc-phase says unsafe",
            "WRONG: one_true-unreach-call.i: expected safe, but ic3-none says unsafe",
        ] {
            assert!(log.contains(text), "{log}");
        }
        assert!(!log.contains("WRONG: two_false"), "{log}");
    }
}

#[test]
fn what_cannot_be_used_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let verify = always(&folder, 0);
    let empty = folder.path().to_string_lossy().into_owned();
    let output = bench_paper(&verify, folder.path(), &["--set", &empty]);
    assert!(log(&output).contains("has no file *.c or *.i") && !output.status.success());
    fs::write(folder.path().join("runs.csv"), "something\nelse\n").expect("it is ours");
    let output = bench_paper(&verify, folder.path(), &["lazy-init"]);
    let log = log(&output);
    assert!(
        log.contains("runs.csv does not hold runs; remove the bad line")
            && !output.status.success(),
        "{log}"
    );
}
