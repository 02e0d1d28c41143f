//! Where results go: files, closed and full outputs, terminals.

use std::fs;
use std::process::{Command, Stdio};

use abi::ids::SiteId;
use abi::schedule::Schedule;
use explicit::interpret::{ReplayEnd, replay};
use frontend::ReadOptions;
use frontend::input::Input;
use program::threads::{Bounds, instantiate};

use crate::common::{
    SAFE, UNSAFE, VERIFY, assert_refused, code, examples, last_line, shell, stderr, stdout,
    terminal, verify,
};
use verify::engines::ENGINES;

#[test]
fn a_schedule_that_was_written_replays() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("run.schedule");
    for example in [UNSAFE, "counter_mutex_broken.c", "nondet_midpoint_broken.c"] {
        let output = verify(&[example, "--schedule-out", &file.to_string_lossy()]);
        assert_eq!(code(&output), 10, "{example}: {}", stderr(&output));
        let text = fs::read_to_string(&file).expect("the schedule was written");
        let schedule: Schedule = text.parse().expect("the schedule is well formed");
        let path = examples().join(example);
        let input = Input::files(vec![path.clone()], &[]);
        let options = ReadOptions {
            recursion: 8,
            ..ReadOptions::default()
        };
        let loaded = frontend::load(&input, &options).expect("the example can be read");
        let instances = instantiate(&loaded.program, &Bounds::default());
        let end = replay(&loaded.program, &instances, &schedule).end;
        let place = |site: SiteId| loaded.program.sites[site].line;
        let ReplayEnd::Error { site, .. } = end else {
            panic!("{example}: {end:?}");
        };
        let expected = format!("VERDICT: UNSAFE (assertion) at {example}:{}", place(site));
        assert_eq!(last_line(&output), expected);
    }
}

/// What is written of a violation, and the option that says where to.
const OF_VIOLATIONS: [(&str, &str); 2] = [
    ("schedule", "--schedule-out"),
    ("event order graph", "--trace-graph"),
];

#[test]
fn a_violation_is_drawn_with_what_its_reads_see() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("run.svg");
    for engine in ["portfolio", "bmc", "eventgraph"] {
        let path = file.to_string_lossy();
        let output = verify(&["counter_racy.c", "--trace-graph", &path, "--engine", engine]);
        assert_eq!(code(&output), 10, "{engine}: {}", stderr(&output));
        let text = fs::read_to_string(&file).expect("it was written");
        fs::remove_file(&file).expect("it can be removed");
        assert!(text.starts_with("<svg ") && text.trim_end().ends_with("</svg>"));
        let verdict = last_line(&output);
        let (_, place) = verdict.split_at("VERDICT: UNSAFE (assertion) at ".len());
        let violated = format!("{place} assertion violated");
        assert!(text.contains(&violated), "{engine}: {text}");
        // An update is lost where both threads read what one of them overwrites.
        for (order, least) in [("is read from", 1), ("reads before it is overwritten", 1)] {
            let arrows = text.matches(&format!("<title>{order}</title>")).count();
            assert!(arrows >= least, "{engine}: {arrows} arrows: {order}");
        }
    }
}

#[test]
fn without_a_violation_nothing_is_written() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("run");
    for (_, option) in OF_VIOLATIONS {
        let safe = || verify(&[SAFE, option, &file.to_string_lossy()]);
        assert_eq!(code(&safe()), 0);
        assert!(!file.exists());
        fs::write(&file, "kept").expect("the directory is writable");
        assert_eq!(code(&safe()), 0);
        assert_eq!(fs::read_to_string(&file).ok().as_deref(), Some("kept"));
        fs::remove_file(&file).expect("it can be removed");
    }
}

#[test]
fn what_cannot_be_written_is_refused_at_once() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let missing = directory.path().join("no/such/directory");
    for unwritable in [missing.as_path(), directory.path()] {
        let path = unwritable.to_string_lossy();
        for (what, option) in OF_VIOLATIONS {
            // The program does not exist: the verifier refuses the option before it reads the program.
            let output = verify(&["missing.c", option, &path]);
            assert_refused(&output, 1, &[what, &path, option]);
        }
    }
}

#[test]
fn what_fails_to_be_written_does_not_lose_the_verdict() {
    for (what, option) in OF_VIOLATIONS {
        let output = verify(&[UNSAFE, option, "/dev/full"]);
        assert!(last_line(&output).starts_with("VERDICT: UNSAFE"));
        assert_eq!(code(&output), 10);
        let message = format!("cannot write the {what} to `/dev/full`");
        assert!(stderr(&output).contains(&message));
    }
}

#[test]
fn a_result_that_cannot_be_printed_keeps_its_exit_code() {
    for option in ["", "--json"] {
        let full = shell(&format!("\"$verify\" {UNSAFE} {option} > /dev/full"));
        assert_eq!(code(&full), 10, "{}", stderr(&full));
        let message = stderr(&full);
        let words = [
            "cannot write the result to standard output",
            "VERDICT: UNSAFE",
        ];
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
        let closed = shell(&format!("\"$verify\" {UNSAFE} {option} >&-"));
        assert_eq!(
            (code(&closed), closed.stderr.len()),
            (10, 0),
            "{}",
            stderr(&closed)
        );
    }
    assert_eq!(code(&shell(&format!("\"$verify\" {SAFE} >&- 2>&-"))), 0);
}

/// Commands and their exit codes, at last where standard output is full: what has no verdict fails without its output.
const COMMANDS: [(&str, i32, i32); 10] = [
    (UNSAFE, 10, 10),
    ("-v peterson_broken.c", 10, 10),
    ("-vv peterson.c", 0, 0),
    ("-v peterson_broken.c --compare", 10, 10),
    ("peterson.c --engine bmc --depth 1", 5, 5),
    ("export peterson.c --format vmt", 0, 1),
    ("missing.c", 2, 2),
    ("--nonsense", 1, 1),
    ("--help", 0, 1),
    ("--version", 0, 1),
];

#[test]
fn errors_that_cannot_be_printed_change_no_exit_code() {
    for (command, expected, _) in COMMANDS {
        for errors in ["2>&-", "2>/dev/full"] {
            let output = shell(&format!("\"$verify\" {command} {errors}"));
            assert_eq!(code(&output), expected, "{command} {errors}");
        }
        let mut child = Command::new(VERIFY)
            .args(command.split(' '))
            .current_dir(examples())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        drop(child.stderr.take());
        let status = child.wait().expect("the binary ends");
        assert_eq!(status.code(), Some(expected), "{command}");
    }
}

#[test]
fn output_that_is_full_is_told() {
    for (command, _, expected) in COMMANDS {
        let full = shell(&format!("\"$verify\" {command} > /dev/full"));
        let message = stderr(&full);
        assert_eq!(code(&full), expected, "{command}: {message}");
        let writes = command != "missing.c" && command != "--nonsense";
        assert_eq!(
            message.contains("standard output: No space"),
            writes,
            "{command}: {message}"
        );
    }
    let all = shell("\"$verify\" --help > /dev/full 2> /dev/full");
    assert_eq!(code(&all), 1);
}

#[test]
fn a_reader_that_went_away_does_not_change_the_exit_code() {
    let mut child = Command::new(VERIFY)
        .args([UNSAFE, "--json"])
        .current_dir(examples())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(code(&output), 10, "{}", stderr(&output));
    assert!(stderr(&output).contains("standard output"));
}

#[test]
fn a_terminal_shows_progress_and_then_only_the_result() {
    let shown = stdout(&terminal(&format!("NO_COLOR=1 \"$verify\" {UNSAFE}")));
    let plain = stdout(&verify(&[UNSAFE])).replace('\n', "\r\n");
    let progress = shown.strip_suffix(&plain).expect("the result comes last");
    let all = ENGINES.map(|engine| engine.name).join(", ");
    assert!(progress.contains(&all), "{progress:?}");
    // The last thing that happens to the line of the progress: it is erased.
    assert!(progress.ends_with("\r\u{1b}[2K"), "{progress:?}");
    let errors_elsewhere = terminal(&format!("NO_COLOR=1 \"$verify\" {UNSAFE} 2> /dev/null"));
    assert_eq!(stdout(&errors_elsewhere), plain);
}
