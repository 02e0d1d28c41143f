//! Ending all commands at once, which a process does once: so this is a file with one test.

use std::process::Command;
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use process::{Ended, Surroundings, end_all, run};

#[test]
fn all_commands_end_and_no_other_starts() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let started = |number: u32| directory.path().join(number.to_string());
    let shell = |number: u32| {
        let mut command = Command::new("sh");
        let script = "trap '' TERM INT HUP; echo $$ > \"$0\"; while :; do sleep 1; done";
        command.args(["-c", script]).arg(started(number));
        command
    };
    scope(|scope| {
        let commands: Vec<_> = (0..4)
            .map(|number| scope.spawn(move || run(&shell(number), &Surroundings::default())))
            .collect();
        let start = Instant::now();
        while !(0..4).all(|number| started(number).exists()) {
            assert!(start.elapsed() < Duration::from_secs(120), "nothing starts");
            sleep(Duration::from_millis(5));
        }
        end_all();
        for command in commands {
            let end = command.join().expect("no panic").expect("the shell starts");
            assert!(matches!(end, Ended::Exited(output) if !output.status.success()));
        }
    });
    let error = run(&shell(4), &Surroundings::default()).expect_err("it is too late");
    assert!(error.to_string().contains("about to end"), "{error}");
    assert!(!started(4).exists());
}
