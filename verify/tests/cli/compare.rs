//! `verify --compare`: all reductions side by side.

use instrument::Reduction;

use crate::common::{
    FACTORING, SAFE, UNSAFE, assert_refused, assert_unknown, bitcode, code, last_line, stderr,
    stdout, verify, verify_bytes, verify_text,
};
use crate::pipe::instrumented;

/// Mutexes make most locations internal.
const MUTEX: &str = "counter_mutex.c";

const MEASURES: [&str; 9] = [
    "verdict",
    "external locations",
    "blocks",
    "state bits as encoded",
    "state bits simplified",
    "reachable states",
    "solver queries",
    "wall time in s",
    "peak memory in MiB",
];

fn document(arguments: &[&str]) -> serde_json::Value {
    let output = verify(&[arguments, &["--compare", "--json"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// A measure for each reduction.
fn row(document: &serde_json::Value, name: &str) -> Vec<serde_json::Value> {
    let columns = document["reductions"].as_array().expect("a list");
    columns.iter().map(|column| column[name].clone()).collect()
}

#[test]
fn every_reduction_has_a_column_and_the_last_line_is_the_verdict() {
    for example in [SAFE, UNSAFE] {
        let (alone, compared) = (verify(&[example]), verify(&[example, "--compare"]));
        assert_eq!(last_line(&compared), last_line(&alone));
        assert_eq!(code(&compared), code(&alone), "{}", stderr(&compared));
        let text = stdout(&compared);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), MEASURES.len() + 2, "{text}");
        let columns = Reduction::ALL.map(|reduction| reduction.to_string());
        let head: Vec<&str> = lines[0].split_whitespace().skip(1).collect();
        assert_eq!(head, columns, "{text}");
        for (line, measure) in lines[1..].iter().zip(MEASURES) {
            assert!(line.starts_with(measure), "{line}");
            assert_eq!(line.len(), lines[0].len(), "not aligned:\n{text}");
            assert_eq!(line[measure.len()..].split_whitespace().count(), 4);
        }
    }
}

#[test]
fn the_document_has_the_verdict_and_every_reduction() {
    let violated = document(&[UNSAFE]);
    assert_eq!(violated["verdict"], "UNSAFE");
    let place = (&violated["file"], &violated["property"]);
    assert_eq!(place, (&UNSAFE.into(), &"assertion".into()));
    let names = Reduction::ALL.map(|reduction| serde_json::Value::from(reduction.to_string()));
    assert_eq!(row(&violated, "reduction"), names);
    assert!(
        row(&violated, "line")
            .iter()
            .all(|line| *line == violated["line"])
    );
    for name in ["external_locations", "blocks", "peak_mebibytes"] {
        for value in row(&violated, name) {
            assert!(value.as_u64().is_some_and(|count| count > 0), "{name}");
        }
    }
    for seconds in row(&violated, "seconds") {
        assert!(seconds.as_f64().is_some_and(|seconds| seconds > 0.0));
    }
}

/// What a document says is what the reduction alone gives, so each process was given its reduction.
#[test]
fn a_column_is_what_the_reduction_gives_alone() {
    let engine = ["--engine", "bmc", "--depth", "5"];
    let compared = document(&[&[MUTEX], &engine[..]].concat());
    for (at, reduction) in Reduction::ALL.into_iter().enumerate() {
        let name = reduction.to_string();
        let alone = verify(&[&[MUTEX, "--json", "--reduction", &name], &engine[..]].concat());
        let alone: serde_json::Value = serde_json::from_slice(&alone.stdout).expect("JSON");
        let column = &compared["reductions"][at];
        assert_eq!(column["verdict"], alone["verdict"]);
        for size in ["external_locations", "blocks", "state_bits"] {
            assert_eq!(column[size], alone["statistics"][size], "{name} {size}");
        }
        let queries = alone["statistics"]["engines"][0]["queries"].as_object();
        let answers = queries.expect("by name").values().flat_map(|counts| {
            ["sat", "unsat", "unknown"].map(|answer| counts[answer].as_u64().expect("a number"))
        });
        let answers: u64 = answers.sum();
        assert!(answers > 0, "{name}");
        assert_eq!(column["queries"], answers, "{name}");
    }
}

#[test]
fn a_reduction_leaves_fewer_states() {
    let compared = document(&[MUTEX]);
    let states = row(&compared, "reachable_states");
    let [none, fixed, ..] = &states[..] else {
        panic!("reductions are missing")
    };
    let count = |states: &serde_json::Value| states["exactly"].as_u64().expect("few states");
    assert!(2 * count(fixed) < count(none), "{states:?}");
}

#[test]
fn what_all_reductions_lack_is_said_once() {
    let undecided = verify(&[SAFE, "--compare", "--engine", "bmc", "--depth", "2"]);
    assert_eq!(
        last_line(&undecided),
        "VERDICT: UNKNOWN (bmc: no violation up to depth 2)"
    );
    assert_eq!(code(&undecided), 5);
}

#[test]
fn a_limit_holds_for_each_reduction_and_leaves_gaps() {
    let limits = ["--compare", "--memory", "1"];
    let limited = verify_text("given.c", FACTORING, &limits);
    assert_unknown(&limited, &["(memory limit of 1 MiB; --memory raises it"]);
    let text = stdout(&limited);
    let blocks = text.lines().find(|line| line.starts_with("blocks"));
    let gaps: Vec<&str> = blocks.expect("a row").split_whitespace().skip(1).collect();
    assert_eq!(gaps, ["-"; 4], "{text}");
}

#[test]
fn a_program_from_standard_input_is_compared() {
    let program = bitcode(SAFE);
    for arguments in [&["--compare"][..], &["--compare", "-"]] {
        let compared = verify_bytes(&program, arguments);
        assert_eq!(
            last_line(&compared),
            "VERDICT: SAFE",
            "{}",
            stderr(&compared)
        );
    }
}

#[test]
fn what_is_instrumented_already_is_refused() {
    let bytes = instrumented(bitcode(SAFE), Reduction::Phase);
    let words = ["--reduction phase", "--compare", "name the C file"];
    assert_refused(&verify_bytes(&bytes, &["--compare"]), 1, &words);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    for option in [
        &["--reduction", "none"][..],
        &["--schedule-out", "run.schedule"],
        &["--certificate", "proof.smt2"],
        &["--invariant"],
        &["--replay", "run.schedule"],
    ] {
        let refused = verify(&[&[SAFE, "--compare"], option].concat());
        assert_refused(&refused, 1, &["--compare", option[0]]);
    }
    let predicates = verify(&[SAFE, "--compare", "--predicates", "exact"]);
    assert_refused(&predicates, 1, &["--engine ic3"]);
    assert_refused(&verify(&["missing.c", "--compare"]), 2, &["`missing.c`"]);
}
