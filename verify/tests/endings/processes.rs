//! Processes that have a variable in their environment.

use std::fs;
use std::path::Path;

/// The variable that tells the processes of a test from all others.
pub const MARK: &str = "MAZURKA_TEST";

/// The numbers of the processes with this mark. One that is ending may have no environment any more; nor has it any memory or file.
pub fn marked(mark: &str) -> Vec<i32> {
    let wanted = format!("{MARK}={mark}");
    let processes = fs::read_dir("/proc").expect("a Linux").flatten();
    processes
        .filter_map(|process| process.file_name().to_str()?.parse().ok())
        .filter(|&process| {
            let environment = read(process, "environ");
            environment
                .split(|&byte| byte == 0)
                .any(|variable| variable == wanted.as_bytes())
        })
        .collect()
}

/// The command line of a process, with spaces between the words; empty if it is gone.
pub fn command_line(process: i32) -> String {
    String::from_utf8_lossy(&read(process, "cmdline")).replace('\0', " ")
}

/// Whether a process is the copy of its parent that waits, or is to become another program.
pub fn is_helper(process: i32) -> bool {
    matches!(
        read(process, "comm").as_slice(),
        b"fork server\n" | b"reaper\n" | b"keeper\n" | b"attempt\n"
    )
}

fn read(process: i32, file: &str) -> Vec<u8> {
    fs::read(Path::new("/proc").join(process.to_string()).join(file)).unwrap_or_default()
}
