//! The binary `bench`: what it writes, and when it fails.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use common::{always, verify};

fn bench(verify: &Path, out: &Path, series: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bench"))
        .arg("--quick")
        .args(series)
        .arg("--verify")
        .arg(verify)
        .arg("--out")
        .arg(out)
        .output()
        .expect("it starts")
}

#[test]
fn two_small_series_are_measured_and_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = bench(&verify(), folder.path(), &["deep-limit", "mutex-rounds"]);
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{log}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);

    let csv = read("comparison.csv");
    let runs: Vec<Vec<&str>> = csv
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect())
        .collect();
    for run in &runs {
        let expected = if run[0] == "deep-limit" {
            "unsafe"
        } else {
            "safe"
        };
        // Nothing depends on how fast the machine is.
        assert!([expected, "unknown", "killed"].contains(&run[6]), "{run:?}");
        let [seconds, mebibytes] =
            [7, 8].map(|field: usize| run[field].parse::<f64>().expect("a number"));
        assert!(seconds > 0.0 && mebibytes > 1.0, "{run:?}");
    }
    // In the order of the list, not in that of the command line; the larger size only where the smaller one was decided.
    let first: Vec<_> = runs
        .iter()
        .filter(|run| ["1", "10"].contains(&run[3]))
        .map(|run| (run[0], run[4]))
        .collect();
    let engines = |series| ["ic3", "bmc", "eventgraph", "portfolio"].map(|engine| (series, engine));
    assert_eq!(
        first,
        [engines("mutex-rounds"), engines("deep-limit")].concat()
    );

    let table = read("comparison.md");
    for row in [
        "| mutex-rounds | counter_mutex_long | ROUNDS=2 | safe |",
        "| deep-limit | loop_deep_broken | LIMIT=20 | unsafe |",
    ] {
        assert!(table.contains(row), "{table}");
    }
    for name in ["deep-limit.svg", "mutex-rounds.svg"] {
        assert!(
            table.contains(name) && read(name).starts_with("<svg"),
            "{name}"
        );
    }
}

#[test]
fn a_wrong_verdict_fails_and_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = bench(
        &always(&folder, 0),
        folder.path(),
        &["deep-limit", "mutex-rounds"],
    );
    let log = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{log}");
    assert!(
        log.contains(
            "WRONG: loop_deep_broken with LIMIT=10 (deep-limit): expected unsafe, but ic3 says safe"
        ),
        "{log}"
    );
    assert!(!log.contains("WRONG: counter_mutex_long"), "{log}");
}

#[test]
fn a_run_without_verdict_fails_and_a_limit_does_not() {
    for (code, fails) in [(6, true), (5, false)] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let output = bench(&always(&folder, code), folder.path(), &["spin-threads"]);
        let log = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), !fails, "{log}");
        let table = fs::read_to_string(folder.path().join("comparison.md")).expect("written");
        assert!(
            table.contains("| THREADS=2 | safe | - | - | - |"),
            "{table}"
        );
    }
}

#[test]
fn wrong_usage_is_explained() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (verify, series, text) in [
        (
            always(&folder, 0),
            "no-series",
            "there is no series no-series",
        ),
        (
            folder.path().join("nothing"),
            "spin-threads",
            "build it with `make build`",
        ),
    ] {
        let output = bench(&verify, folder.path(), &[series]);
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && log.contains(text), "{log}");
    }
}
