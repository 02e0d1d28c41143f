//! Property files and task definitions of SV-COMP.

use std::fs;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::common::{VERIFY, assert_refused, code, last_line, stderr, stdout};

/// Violated where `long` has 64 bits; calls of `reach_error` are errors, and memory is used as it should be.
const NARROW: &str = "void reach_error(void);
int main(void) {
  if (sizeof(long) != 4) reach_error();
  return 0;
}
";

const USED_AFTER_FREE: &str = "#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
  if (!p) return 0;
  free(p);
  return *p;
}
";

const REACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
const MEMORY: &str = "\
CHECK( init(main()), LTL(G valid-free) )
CHECK( init(main()), LTL(G valid-deref) )
CHECK( init(main()), LTL(G valid-memtrack) )
";

const CLEANUP: &str = "\
CHECK( init(main()), LTL(G valid-free) )
CHECK( init(main()), LTL(G valid-deref) )
CHECK( init(main()), LTL(G valid-memcleanup) )
";

/// A folder with programs, and property files in another one beside it.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().expect("a temporary directory"));
        for name in ["tasks", "properties"] {
            fs::create_dir(folder.0.path().join(name)).expect("the directory is writable");
        }
        for (name, text) in [
            ("tasks/narrow.c", NARROW),
            ("tasks/freed.c", USED_AFTER_FREE),
            ("properties/unreach-call.prp", REACH),
            ("properties/valid-memsafety.prp", MEMORY),
            ("properties/valid-memcleanup.prp", CLEANUP),
            (
                "properties/termination.prp",
                "CHECK( init(main()), LTL(F end) )\n",
            ),
            (
                "properties/def-behavior.prp",
                "\n\nCHECK( init(main()), LTL(G def-behavior) )\n",
            ),
            (
                "properties/coverage-branches.prp",
                "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n",
            ),
        ] {
            folder.write(name, text);
        }
        folder
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).expect("the directory is writable");
    }

    /// Writes a task definition.
    fn task(&self, files: &str, properties: &str, data_model: &str) {
        let text = format!(
            "format_version: '2.0'\n\n# A comment.\ninput_files: {files}\n\nproperties:\n{properties}\noptions:\n  language: C\n  \
             data_model: {data_model}\nadditional_information: {{any: [1, 2]}}\n"
        );
        self.write("tasks/task.yml", &text);
    }

    fn verify(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(VERIFY);
        command
            .args(arguments)
            .current_dir(&self.0)
            .stdin(Stdio::null());
        command.output().expect("the binary runs")
    }
}

fn entry(property: &str, more: &str) -> String {
    format!("  - property_file: ../properties/{property}.prp\n{more}")
}

const TASK: &str = "tasks/task.yml";
const VIOLATED: &str = "VERDICT: UNSAFE (assertion) at tasks/narrow.c:3";
const NO_CLEANUP: &str = "VERDICT: UNKNOWN (the property valid-memcleanup is not supported)";

/// The lines of the properties and of the verdict.
fn verdicts(output: &Output) -> Vec<String> {
    let text = stdout(output);
    let lines = text.lines().filter(|line| {
        let mut words = line.split(": ").skip(1);
        let verdict = words.next().unwrap_or_default();
        ["SAFE", "UNSAFE", "UNKNOWN"]
            .iter()
            .any(|word| verdict.starts_with(word))
    });
    lines.map(str::to_owned).collect()
}

#[test]
fn a_property_file_names_the_property() {
    let folder = Folder::new();
    let by_name = folder.verify(&["tasks/narrow.c", "--property", "unreach-call"]);
    assert_eq!(last_line(&by_name), VIOLATED, "{}", stderr(&by_name));
    folder.write(
        "old.prp",
        "// a comment\r\n\r\nCHECK(init(main()),LTL(G!call(__VERIFIER_error())))\r\n",
    );
    for file in ["properties/unreach-call.prp", "old.prp"] {
        let found = folder.verify(&["tasks/narrow.c", "--property", file]);
        assert_eq!(stdout(&found), stdout(&by_name), "{}", stderr(&found));
    }
    let written = folder.verify(&[
        "tasks/narrow.c",
        "--property=old.prp",
        "--schedule-out=old.prp",
    ]);
    assert_refused(&written, 1, &["`old.prp`: that is the program"]);
    let both = folder.verify(&["tasks/freed.c", "--property=old.prp,valid-deref"]);
    let violated = "UNSAFE (use after free) at tasks/freed.c:6, freed at tasks/freed.c:5 by `main`";
    let lines = verdicts(&both);
    assert!(
        lines[0].starts_with("unreach-call: UNKNOWN (undefined behaviour"),
        "{lines:?}"
    );
    let others = ["valid-deref", "VERDICT"].map(|name| format!("{name}: {violated}"));
    assert_eq!(lines[1..], others);
}

#[test]
fn what_is_not_supported_is_open() {
    let folder = Folder::new();
    let memory = ["--property", "properties/valid-memcleanup.prp"];
    let verify = |words: &[&str]| folder.verify(&[&memory, words].concat());
    let open = verify(&["tasks/narrow.c"]);
    assert_eq!(
        verdicts(&open),
        [
            "valid-deref: SAFE",
            "valid-free: SAFE",
            "valid-memcleanup: UNKNOWN (the property valid-memcleanup is not supported)",
            NO_CLEANUP
        ],
        "{}",
        stderr(&open)
    );
    assert_eq!(code(&open), 5);
    let violated = verify(&["tasks/freed.c"]);
    assert!(last_line(&violated).starts_with("VERDICT: UNSAFE (use after free)"));
    assert!(stdout(&violated).contains("\nvalid-memcleanup: UNKNOWN ("));
    let compared = verify(&["tasks/narrow.c", "--compare"]);
    assert_eq!(last_line(&compared), NO_CLEANUP, "{}", stderr(&compared));
    let certified = verify(&["tasks/narrow.c", "--certificate", "proof"]);
    assert_eq!(last_line(&certified), NO_CLEANUP, "{}", stderr(&certified));
    assert!(!folder.0.path().join("proof").exists());
    let document = verify(&["tasks/narrow.c", "--json"]).stdout;
    let document: serde_json::Value = serde_json::from_slice(&document).expect("JSON");
    assert_eq!(document["verdict"], "UNKNOWN");
    assert_eq!(document["properties"][2]["name"], "valid-memcleanup");
    assert_ne!(document["statistics"]["engine"], "");
    let mut words = vec!["export", "--format=btor2", "tasks/narrow.c"];
    words.extend(memory);
    assert_refused(
        &folder.verify(&words),
        1,
        &[
            "valid-memcleanup is not supported",
            "`--property valid-deref,valid-free`",
        ],
    );
    let alone = folder.verify(&["tasks/narrow.c", "--property=properties/def-behavior.prp"]);
    assert_refused(
        &alone,
        1,
        &[
            "def-behavior (`properties/def-behavior.prp`, line 3) is not supported",
            "unreach-call",
        ],
    );
}

#[test]
fn a_property_file_that_is_not_understood_is_refused() {
    let folder = Folder::new();
    folder.write("wrong.prp", "\nCHECK( init(start()), LTL(G valid-free) )\n");
    for (file, words) in [
        (
            "wrong.prp",
            &["`wrong.prp`: line 2, column 13: expected `main`, found `start`"][..],
        ),
        (
            "lost.prp",
            &[
                "cannot read the property file `lost.prp`: No such file",
                "name a file that exists",
            ],
        ),
    ] {
        let refused = folder.verify(&["tasks/narrow.c", "--property", file]);
        assert_refused(&refused, 2, words);
    }
    let unknown = folder.verify(&["tasks/narrow.c", "--property", "memory"]);
    assert_refused(
        &unknown,
        1,
        &["unknown property `memory`", "a property file (.prp)"],
    );
}

#[test]
fn a_task_names_files_data_model_and_properties() {
    let folder = Folder::new();
    for (data_model, verdict) in [("ILP32", "VERDICT: SAFE"), ("LP64", VIOLATED)] {
        folder.task("'narrow.c'", &entry("unreach-call", ""), data_model);
        let found = folder.verify(&[TASK]);
        assert_eq!(last_line(&found), verdict, "{}", stderr(&found));
        assert!(stderr(&found).is_empty(), "{}", stderr(&found));
    }
    let properties = entry("valid-memsafety", "") + &entry("coverage-branches", "");
    folder.task(
        "\n  - narrow.c",
        &(properties + &entry("def-behavior", "")),
        "ILP32",
    );
    let all = folder.verify(&[TASK]);
    let names: Vec<String> = verdicts(&all)
        .iter()
        .map(|line| line.split(':').next().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(
        names,
        [
            "valid-deref",
            "valid-free",
            "valid-memtrack",
            "def-behavior",
            "VERDICT"
        ]
    );
    let chosen = folder.verify(&["--property", "unreach-call", TASK]);
    assert_eq!(verdicts(&chosen), ["VERDICT: SAFE"], "{}", stderr(&chosen));

    // Other forms: version 1.0 without options, a list, and a file that is defined in another one.
    folder.write(
        "tasks/error.c",
        "#include <assert.h>\nvoid reach_error(void) { assert(0); }\n",
    );
    folder.write(
        "tasks/old.yaml",
        "format_version: 1.0\r\ninput_files: [narrow.c, error.c]\r\n",
    );
    let old = folder.verify(&["tasks/old.yaml"]);
    assert_eq!(code(&old), 10, "{}", stderr(&old));
}

#[test]
fn another_verdict_than_expected_is_told() {
    let folder = Folder::new();
    let warned = |file: &str, properties: &str, data_model: &str, words: &[&str]| {
        folder.task(file, properties, data_model);
        let found = folder.verify(&[&[TASK], words].concat());
        (stderr(&found), code(&found))
    };
    let reach = |expected: bool| {
        entry(
            "unreach-call",
            &format!("    expected_verdict: {expected}\n"),
        )
    };
    let start = "warning: the expected verdict of `tasks/task.yml` for `tasks/../properties/";
    for (expected, data_model, exit_code, warning) in [
        (true, "ILP32", 0, String::new()),
        (false, "LP64", 10, String::new()),
        (
            false,
            "ILP32",
            0,
            format!("{start}unreach-call.prp` is false, but unreach-call is SAFE\n"),
        ),
        (
            true,
            "LP64",
            10,
            format!(
                "{start}unreach-call.prp` is true, but unreach-call is UNSAFE (assertion) at tasks/narrow.c:3\n"
            ),
        ),
    ] {
        for words in [&[][..], &["--property=unreach-call"], &["--json"]] {
            let found = warned("narrow.c", &reach(expected), data_model, words);
            assert_eq!(found, (warning.clone(), exit_code), "{words:?}");
        }
    }
    let compared = warned("narrow.c", &reach(false), "ILP32", &["--compare"]);
    assert!(compared.0.starts_with("warning: "), "{}", compared.0);
    let memory = |subproperty: &str| {
        let more = format!("    expected_verdict: false\n    subproperty: {subproperty}\n");
        entry("valid-memsafety", &more)
    };
    for (subproperty, differs) in [
        ("valid-deref", false),
        ("valid-free", true),
        ("valid-memtrack", true),
    ] {
        let (message, exit_code) = warned("freed.c", &memory(subproperty), "LP64", &[]);
        assert_eq!(message.starts_with(start), differs, "{message}");
        assert_eq!(exit_code, 10);
    }
    // Nothing is known of what is not verified.
    let (message, exit_code) = warned(
        "narrow.c",
        &reach(true),
        "LP64",
        &["--property=valid-deref"],
    );
    assert_eq!((message.as_str(), exit_code), ("", 0));
}

#[test]
fn a_task_that_cannot_be_followed_is_refused() {
    let folder = Folder::new();
    folder.task("narrow.c", &entry("unreach-call", ""), "ILP32");
    for (words, message) in [
        (
            &[TASK, "--data-model", "LP64"][..],
            "LP64 by --data-model, and ILP32 by `tasks/task.yml`",
        ),
        (
            &[TASK, "tasks/narrow.c"],
            "`tasks/task.yml` is a task definition",
        ),
        (&[TASK, TASK], "`tasks/task.yml` is a task definition"),
        (&["-", TASK], "`tasks/task.yml` is a task definition"),
        (&[TASK, "--compile-commands", "."], "--compile-commands"),
    ] {
        assert_refused(&folder.verify(words), 1, &[message]);
    }
    for file in [TASK, "properties/unreach-call.prp"] {
        let refused = folder.verify(&[TASK, "--certificate", file]);
        assert_refused(&refused, 1, &["that is the program"]);
        assert!(folder.0.path().join(file).exists());
    }
    let same = folder.verify(&[TASK, "--data-model", "ILP32"]);
    assert_eq!(last_line(&same), "VERDICT: SAFE", "{}", stderr(&same));
    let flag = folder.verify(&[TASK, "--clang-arg=-m64"]);
    assert_refused(&flag, 2, &["is compiled for LP64 and not for ILP32"]);
    let missing = folder.verify(&["tasks/lost.yml"]);
    assert_refused(
        &missing,
        2,
        &["cannot read the task definition `tasks/lost.yml`"],
    );
    let refuse = |files: &str, properties: &str, exit_code: i32, words: &[&str]| {
        folder.task(files, properties, "LP64");
        assert_refused(&folder.verify(&[TASK]), exit_code, words);
    };
    let place = "at line 4, column 14";
    refuse(
        "lost.c",
        "",
        2,
        &["`input_files` names `tasks/lost.c`", place],
    );
    let lost = entry("lost", "");
    refuse(
        "narrow.c",
        &lost,
        2,
        &[
            "cannot read the property file `tasks/../properties/lost.prp`",
            "`tasks/task.yml`, line 7",
        ],
    );
    let without = folder.verify(&[TASK, "--property=valid-free"]);
    assert_eq!(last_line(&without), "VERDICT: SAFE", "{}", stderr(&without));
    refuse(
        "narrow.c",
        &entry("def-behavior", ""),
        1,
        &[
            "def-behavior (`tasks/../properties/def-behavior.prp`, line 3)",
            "not supported",
        ],
    );
    refuse(
        "narrow.c",
        "  - [unreach-call.prp]\n",
        2,
        &["at line 7, column 5"],
    );
}

#[test]
fn certificates_and_exports_are_about_the_program_of_a_task() {
    let folder = Folder::new();
    folder.task("narrow.c", &entry("unreach-call", ""), "ILP32");
    let proved = folder.verify(&[TASK, "--engine=ic3", "--certificate=proof.smt2"]);
    assert_eq!(last_line(&proved), "VERDICT: SAFE", "{}", stderr(&proved));
    let check =
        |words: &[&str]| folder.verify(&[&["check-certificate", "proof.smt2"], words].concat());
    for program in [TASK, "tasks/narrow.c"] {
        let checked = check(&[program]);
        assert_eq!(
            last_line(&checked),
            "CERTIFICATE: HOLDS",
            "{}",
            stderr(&checked)
        );
    }
    assert_refused(
        &check(&[TASK, "tasks/narrow.c"]),
        1,
        &["is a task definition"],
    );
    let text = fs::read_to_string(folder.0.path().join("proof.smt2")).expect("it was written");
    let forged = text.replace("--property=unreach-call", "--property=none.prp");
    assert_ne!(text, forged);
    folder.write("proof.smt2", &forged);
    assert_refused(&check(&[TASK]), 2, &["name a property file"]);
    let exported = folder.verify(&["export", "--format=btor2", TASK]);
    let words = [
        "program: tasks/narrow.c",
        "never: violation of unreach-call",
    ];
    let text = stdout(&exported);
    assert!(words.iter().all(|word| text.contains(word)), "{text}");
}
