//! Commands end as they would alone, and nothing is left of them.
#![allow(clippy::disallowed_methods)] // The names and texts are the project's own.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use process::{Directory, Ended, StandardInput, StandardOutput, Surroundings, run, uses_more_than};

/// No machine is so slow.
const LONG: Duration = Duration::from_secs(120);

fn shell(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command
}

/// With its outputs, and without input unless some is given.
fn ended(command: &Command, surroundings: &Surroundings<'_>) -> Output {
    let input = match surroundings.input {
        StandardInput::Inherited | StandardInput::Empty => StandardInput::Empty,
        bytes @ StandardInput::Bytes(_) => bytes,
    };
    let surroundings = Surroundings {
        input,
        output: StandardOutput::Captured,
        error_output: StandardOutput::Captured,
        ..*surroundings
    };
    match run(command, &surroundings).expect("the command can be started") {
        Ended::Exited(output) => output,
        Ended::Deadline => panic!("there is no deadline"),
    }
}

/// A directory in which commands tell the numbers of their processes.
struct Pids(tempfile::TempDir);

impl Pids {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary directory"))
    }

    /// Starts a process that would go on for ever in a session of its own, once it has told its number.
    fn background(&self, name: &str) -> String {
        let file = self.path(name);
        let file = file.display();
        format!(
            "(setsid sh -c 'trap \"\" TERM HUP INT; echo $$ > {file}.new; mv {file}.new {file}; while :; do sleep 1; done' &)\n\
             while [ ! -e {file} ]; do sleep 0.01; done\n"
        )
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn is_alive(&self, name: &str) -> bool {
        let number = fs::read_to_string(self.path(name)).expect("the process told its number");
        Path::new("/proc").join(number.trim()).exists()
    }
}

#[test]
fn a_command_ends_as_it_would_alone() {
    let none = Surroundings::default();
    for code in [0, 3, 255] {
        assert_eq!(
            ended(&shell(&format!("exit {code}")), &none).status.code(),
            Some(code)
        );
    }
    for (name, signal) in [
        ("KILL", 9),
        ("SEGV", 11),
        ("TERM", 15),
        ("PIPE", 13),
        ("HUP", 1),
    ] {
        let mut command = shell(&format!("kill -{name} $$"));
        let status = ended(&command, &none).status;
        assert_eq!(status.signal(), Some(signal));
        // A dumped core is part of the status.
        assert_eq!(status, command.status().expect("the shell starts"));
    }
}

#[test]
fn a_command_that_cannot_be_started_is_an_error() {
    let missing = run(&Command::new("/nonexistent/tool"), &Surroundings::default());
    let error = missing.expect_err("there is no such tool");
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let text = directory.path().join("text");
    fs::write(&text, "no program").expect("the directory is writable");
    let refused = run(&Command::new(text), &Surroundings::default());
    let error = refused.expect_err("the file is not executable");
    assert_eq!(error.kind(), std::io::ErrorKind::PermissionDenied);
}

#[test]
fn much_input_and_output_do_not_wait_for_each_other() {
    let input: Vec<u8> = (0..4_000_000u32)
        .map(|number| number.to_le_bytes()[0])
        .collect();
    let surroundings = Surroundings {
        input: StandardInput::Bytes(&input),
        ..Surroundings::default()
    };
    let output = ended(&shell("tee /dev/stderr"), &surroundings);
    assert!(output.stdout == input && output.stderr == input);
    // Who reads nothing does not stop the others.
    assert!(ended(&shell("exit 0"), &surroundings).status.success());
}

#[test]
fn what_a_command_leaves_running_is_ended_with_it() {
    let pids = Pids::new();
    let script = pids.background("one") + &pids.background("other") + "echo said; exit 4";
    // The processes hold the pipe, and it ends all the same.
    let output = ended(&shell(&script), &Surroundings::default());
    assert_eq!(
        (output.status.code(), output.stdout.as_slice()),
        (Some(4), &b"said\n"[..])
    );
    assert!(!pids.is_alive("one") && !pids.is_alive("other"));
}

#[test]
fn a_deadline_ends_everything() {
    let pids = Pids::new();
    let script = pids.background("one") + "trap '' TERM INT HUP; while :; do sleep 1; done";
    let start = Instant::now();
    let told = || pids.path("one").exists();
    // Long enough for the processes to have started: then it is tried again with more.
    for seconds in [1, 4, 16, 64] {
        let deadline = Instant::now().checked_add(Duration::from_secs(seconds));
        let surroundings = Surroundings {
            deadline,
            ..Surroundings::default()
        };
        let end = run(&shell(&script), &surroundings).expect("the shell starts");
        assert!(matches!(end, Ended::Deadline), "{end:?}");
        if told() {
            break;
        }
    }
    assert!(told() && !pids.is_alive("one"));
    assert!(start.elapsed() < LONG);
    let deadline = Instant::now().checked_add(LONG);
    let surroundings = Surroundings {
        deadline,
        ..Surroundings::default()
    };
    assert!(ended(&shell("exit 0"), &surroundings).status.success());
}

#[test]
fn signals_and_descriptors_are_as_without_a_reaper() {
    // Without the signals from 29 on, some of which the C library keeps for itself.
    let script =
        "sed -n -E 's/^(SigBlk|SigIgn).*(.{7})$/\\1 \\2/p' /proc/self/status; ls /proc/self/fd";
    let output = ended(&shell(script), &Surroundings::default());
    let alone = shell(script)
        .stdin(Stdio::null())
        .output()
        .expect("the shell starts");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&alone.stdout)
    );
    let group = "cut -d ' ' -f 5 /proc/$$/stat";
    let output = ended(&shell(group), &Surroundings::default());
    let alone = shell(group)
        .stdin(Stdio::null())
        .output()
        .expect("the shell starts");
    assert_eq!(output.stdout, alone.stdout);
}

#[test]
fn commands_that_run_side_by_side_do_not_hold_each_other() {
    std::thread::scope(|scope| {
        for number in 0..8 {
            scope.spawn(move || {
                for _ in 0..20 {
                    let output = ended(&shell(&format!("exit {number}")), &Surroundings::default());
                    assert_eq!(output.status.code(), Some(number));
                }
            });
        }
    });
}

#[test]
fn memory_of_descendants_counts() {
    assert!(uses_more_than(0) && !uses_more_than(1 << 40));
    let pids = Pids::new();
    let (ready, seen) = (pids.path("ready"), pids.path("seen"));
    // A variable of 64 MiB in a shell that is no child of ours, under the name of a process that does not count.
    let script = format!(
        "(echo reaper > /proc/self/comm; text=$(head -c 67108864 /dev/zero | tr '\\0' x); echo > {}; while [ ! -e {} ]; do sleep 0.01; done) & wait",
        ready.display(),
        seen.display()
    );
    std::thread::scope(|scope| {
        let other = scope.spawn(move || ended(&shell(&script), &Surroundings::default()));
        let start = Instant::now();
        while !(ready.exists() && uses_more_than(64)) && start.elapsed() < LONG {
            sleep(Duration::from_millis(5));
        }
        let is_seen = uses_more_than(64);
        fs::write(seen, "").expect("the directory is writable");
        assert!(other.join().expect("no panic").status.success());
        assert!(is_seen, "the memory is not seen");
    });
}

#[test]
fn a_command_has_the_arguments_variables_and_directory_that_it_is_given() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().canonicalize().expect("it is there");
    let strange = OsStr::from_bytes(b"\xff '\n\" ");
    let mut command = shell("printf %s \"$0|$1|$GIVEN|${HOME-none}|\"; /bin/pwd");
    command.arg(strange).arg("").env("GIVEN", strange);
    command.env_remove("HOME").current_dir(&path);
    let expected = [
        strange.as_bytes(),
        b"||",
        strange.as_bytes(),
        b"|none|",
        path.as_os_str().as_bytes(),
        b"\n",
    ]
    .concat();
    assert_eq!(ended(&command, &Surroundings::default()).stdout, expected);
}

#[test]
fn outputs_go_where_they_are_to_go() {
    let both = shell("echo out; echo err >&2; cat");
    let surroundings = Surroundings {
        input: StandardInput::Bytes(b"in\n"),
        error_output: StandardOutput::Captured,
        ..Surroundings::default()
    };
    let run = |surroundings: &Surroundings<'_>| match run(&both, surroundings) {
        Ok(Ended::Exited(output)) => (output.stdout, output.stderr),
        end => panic!("{end:?}"),
    };
    let discarded = Surroundings {
        output: StandardOutput::Discarded,
        ..surroundings
    };
    assert_eq!(run(&discarded), (Vec::new(), b"err\n".to_vec()));
    let captured = Surroundings {
        output: StandardOutput::Captured,
        error_output: StandardOutput::Discarded,
        ..surroundings
    };
    assert_eq!(run(&captured), (b"out\nin\n".to_vec(), Vec::new()));
}

#[test]
fn a_directory_goes_with_its_value() {
    let directory = Directory::new().expect("a temporary directory");
    let path = directory.path().to_owned();
    fs::create_dir_all(path.join("a/b")).expect("the directory is writable");
    fs::write(path.join("a/b/-c d"), "text").expect("the directory is writable");
    let surroundings = Surroundings {
        directory: Some(&directory),
        ..Surroundings::default()
    };
    let mut list = shell("ls \"$0\"");
    list.arg(&path);
    assert_eq!(ended(&list, &surroundings).stdout, b"a\n");
    drop(directory);
    assert!(!path.exists());
}
