//! Killing the fork server, which would end the commands that other tests are about to start: so this is a file with one test.

use std::fs;
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use process::{Ended, Surroundings, prepare, run};
use rustix::process::{Pid, Signal, kill_process};

/// No machine is so slow.
const LONG: Duration = Duration::from_secs(120);

/// The fork server of this process. One that was killed remains until this process has ended, and is none once its files are closed:
/// before, it may still be sent requests, which are lost.
fn server() -> Option<i32> {
    let parent = format!("PPid:\t{}\n", std::process::id());
    let is_server = |process: &PathBuf| {
        let status = fs::read_to_string(process.join("status")).unwrap_or_default();
        status.starts_with("Name:\tfork server\n")
            && status.contains(&parent)
            && !status.contains("\nState:\tZ")
    };
    let processes = fs::read_dir("/proc").expect("a Linux").flatten();
    let server = processes.map(|process| process.path()).find(is_server)?;
    server.file_name()?.to_str()?.parse().ok()
}

fn wait_until(condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < LONG, "nothing happens");
        sleep(Duration::from_millis(1));
    }
}

#[test]
fn one_that_was_killed_is_replaced() {
    // Such descriptors come from a shell that passes the output of another command as a file.
    let inherited = rustix::io::dup(std::io::stdin()).expect("there is standard input");
    prepare().expect("the server starts");
    wait_until(|| server().is_some());
    let first = server();
    let number = first.and_then(Pid::from_raw).expect("it is there");
    kill_process(number, Signal::KILL).expect("it is ours");
    wait_until(|| server().is_none());
    let end = run(&Command::new("true"), &Surroundings::default());
    assert!(matches!(end, Ok(Ended::Exited(output)) if output.status.success()));
    let mut command = Command::new("test");
    command.args(["-e", &format!("/proc/self/fd/{}", inherited.as_raw_fd())]);
    let end = run(&command, &Surroundings::default());
    assert!(matches!(end, Ok(Ended::Exited(output)) if output.status.success()));
    assert!(server().is_some_and(|second| Some(second) != first));
}
