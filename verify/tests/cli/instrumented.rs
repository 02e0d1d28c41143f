//! Instrumented bitcode that was edited: refused where it lets other threads run less often than the plan, unless it is trusted.

use std::fs;
use std::process::{Command, Output};

use instrument::{ConditionKind, Reduction};

use crate::common::{assert_refused, bitcode, code, last_line, stderr, stdout, verify};
use crate::pipe::instrumented;

const YIELD: &str = "call void @__mazurka_yield(";

/// What `instrument` makes of an example, in LLVM's textual form.
fn text(example: &str, reduction: Reduction) -> String {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let [bitcode, text] = ["a.bc", "a.ll"].map(|name| folder.path().join(name));
    fs::write(
        &bitcode,
        instrumented(crate::common::bitcode(example), reduction),
    )
    .expect("the directory is writable");
    let done = Command::new("llvm-dis-19")
        .arg(&bitcode)
        .arg("-o")
        .arg(&text)
        .status();
    assert!(done.expect("llvm-dis-19 runs").success());
    fs::read_to_string(text).expect("it was written")
}

fn verify_edited(text: &str, arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("edited.ll");
    fs::write(&file, text).expect("the directory is writable");
    verify(&[&[file.to_str().expect("UTF-8")], arguments].concat())
}

/// The text without the `n`th line that contains `words`; none if there are not so many.
fn without(text: &str, words: &str, n: usize) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut all = (0..lines.len()).filter(|&index| lines[index].contains(words));
    let index = all.nth(n)?;
    lines.remove(index);
    Some(lines.join("\n"))
}

/// Everything edited so is refused with words that say why.
fn assert_all_refused(edited: impl Iterator<Item = String>, words: &[&str]) -> usize {
    let edited = edited.map(|text| {
        let output = verify_edited(&text, &["--engine", "explicit"]);
        assert_refused(&output, 2, words);
    });
    edited.count()
}

#[test]
fn what_is_not_edited_is_believed() {
    for reduction in Reduction::ALL {
        let text = text("counter_racy.c", reduction);
        let output = verify_edited(&text, &["--engine", "bmc"]);
        assert_eq!(code(&output), 10, "{reduction}: {}", stderr(&output));
        let more = ["--engine", "bmc", "--trust-instrumentation"];
        assert_eq!(last_line(&verify_edited(&text, &more)), last_line(&output));
    }
}

#[test]
fn a_missing_yield_is_named() {
    for (example, reduction) in [
        ("counter_racy.c", Reduction::None),
        ("counter_racy.c", Reduction::Static),
        ("peterson_broken.c", Reduction::Dynamic),
    ] {
        let text = text(example, reduction);
        let edited = (0..).map_while(|n| without(&text, YIELD, n));
        let place = format!("{example}:");
        let words = ["less often", &place, "--trust-instrumentation"];
        let refused = assert_all_refused(edited, &words);
        assert_eq!(refused, text.matches(YIELD).count(), "{example}");
        assert!(refused > 2, "{example}: {refused}");
    }
}

#[test]
fn edited_bitcode_is_not_replayed_either() {
    let text = text("counter_racy.c", Reduction::None);
    let edited = without(&text, YIELD, 1).expect("there are yields");
    let folder = tempfile::tempdir().expect("a temporary directory");
    let schedule = folder.path().join("run.schedule");
    fs::write(&schedule, "t0 1\n").expect("the directory is writable");
    let schedule = schedule.to_str().expect("UTF-8");
    let output = verify_edited(&edited, &["--replay", schedule]);
    assert_refused(&output, 2, &["less often", "counter_racy.c:"]);
}

/// Without its yields the racy program looks safe, as the verdict with `--trust-instrumentation` says.
#[test]
fn trust_is_said_with_the_verdict() {
    let text = text("counter_racy.c", Reduction::Static);
    let lines = text.lines().filter(|line| !line.contains(YIELD));
    let edited = lines.collect::<Vec<_>>().join("\n");
    let trust = ["--engine", "bmc", "--trust-instrumentation"];
    let output = verify_edited(&edited, &trust);
    assert_eq!(
        last_line(&output),
        "VERDICT: SAFE (instrumentation trusted)"
    );
    let output = verify_edited(&edited, &[&trust[..], &["--json"]].concat());
    let document: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(document["instrumentation_trusted"], true);
    // There is nothing to trust in other programs.
    let whole = verify(&[
        "peterson.c",
        "--engine",
        "explicit",
        "--trust-instrumentation",
    ]);
    assert_eq!(last_line(&whole), "VERDICT: SAFE");
}

#[test]
fn more_yields_lose_nothing() {
    let text = text("counter_racy.c", Reduction::Static);
    let store = text
        .lines()
        .find(|line| line.contains("store") && line.contains("@counter"))
        .expect("the counter is written");
    let site = store.split("!mazurka.site ").nth(1).expect("a site");
    let site = site.split(',').next().unwrap_or_default().trim();
    let number = text
        .lines()
        .find_map(|line| line.strip_prefix(&format!("{site} = !{{i32 ")))
        .and_then(|rest| rest.strip_suffix('}'))
        .expect("sites are numbers");
    let position = store.split("!dbg ").nth(1).expect("a position");
    let position = position.split(',').next().unwrap_or_default().trim();
    let more = format!("  {YIELD}i32 {number}), !dbg {position}, !mazurka.site {site}\n{store}");
    let edited = text.replacen(store, &more, 1);
    let output = verify_edited(&edited, &["--engine", "bmc"]);
    assert_eq!(code(&output), 10, "{}", stderr(&output));
}

#[test]
fn other_edits_are_refused() {
    let original = text("counter_racy.c", Reduction::Static);
    let replaced = |from: &str, to: &str| {
        assert!(original.contains(from), "{from}");
        original.replacen(from, to, 1)
    };
    let kinds = ConditionKind::ALL.map(|kind| kind.to_string()).join(",");
    let header = &format!("!{{!\"static\", !\"{kinds}\", i32 3, i32 5, i32 8, i32 64, ");
    // Another statement, another initial value, another assertion.
    let programs = [
        replaced("add i32", "mul i32"),
        replaced(
            "@counter = internal global i32 0",
            "@counter = internal global i32 7",
        ),
        replaced("icmp sgt i32", "icmp sge i32"),
    ];
    assert_all_refused(programs.into_iter(), &["another program than its original"]);
    let unknown = [
        replaced(header, &header.replace("static", "nothing")),
        replaced(header, &header.replace("cas", "luck")),
    ];
    assert_all_refused(unknown.into_iter(), &["is not known"]);
    let malformed = [
        replaced(header, &header.replace("i32 3, ", "")),
        replaced(header, "!{!\"static\", "),
        replaced(header, &header.replace("i32 8", "i32 -1")),
        replaced(header, &header.replace("i32 3", "i32 0")),
        replaced("i32 64, i32 0, ", "i32 64, i32 2, "),
    ];
    assert_all_refused(malformed.into_iter(), &["does not say once"]);
}

/// The original is planned, so it is no way around the plan either.
#[test]
fn the_original_cannot_be_exchanged() {
    let racy = text("counter_racy.c", Reduction::Static);
    let original = |text: &str| {
        let line = text
            .lines()
            .find(|line| line.contains("i32 64, i32 0, i32 0, !\""));
        let line = line.expect("it says how it was instrumented").to_owned();
        let start = line.find("i32 64, i32 0, ").expect("it does");
        line[start..].to_owned()
    };
    let of = original(&racy);
    let other = original(&text("counter_mutex.c", Reduction::Static));
    // Instrumented itself, it would not be normalised, and what its metadata promises would be believed.
    let nested = instrumented(bitcode("counter_racy.c"), Reduction::Static);
    let bytes: String = nested.iter().map(|byte| format!("\\{byte:02X}")).collect();
    let nested = format!("i32 64, i32 0, i32 0, !\"{bytes}\"}}");
    let nothing = "i32 64, i32 0, i32 0, !\"\"}";
    for (another, words) in [
        (other.as_str(), "another program"),
        (nested.as_str(), "instrumented itself"),
        (nothing, "cannot be used"),
    ] {
        let output = verify_edited(&racy.replace(&of, another), &["--engine", "bmc"]);
        assert_refused(&output, 2, &["not what `instrument` writes", words]);
    }
}

#[test]
fn code_that_runs_before_main_cannot_be_added() {
    let text = text("peterson.c", Reduction::Static);
    let list = "@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @added, ptr null }]";
    let array = "@entry = global ptr @added, section \".init_array\"";
    for added in [list, array, "module asm \".quad 0\""] {
        let edited = format!("{text}\n{added}\ndefine void @added() {{\n  ret void\n}}\n");
        let output = verify_edited(&edited, &["--engine", "explicit"]);
        assert_refused(&output, 2, &["another program"]);
    }
}
