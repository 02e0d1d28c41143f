//! The memory of this process and of everything that it has started.

use std::fs;
use std::process;

use crate::copies::COPIES;

/// Whether this process and its descendants together have more resident memory than so many MiB.
///
/// Of descendants, pages that are those of a file do not count: most are of libraries that this process has, too. Nor do the
/// fork server, reapers and keepers, which are copies of this process and share its pages. (What this process has changed or
/// freed since is theirs alone; it had little then.)
pub fn uses_more_than(mebibytes: u64) -> bool {
    let own = process::id();
    let used = tree(own).into_iter().filter_map(|process| {
        let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        if process == own {
            kibibytes(&status, "VmRSS:")
        } else if is_copy(process, &status) {
            None
        } else {
            Some(kibibytes(&status, "RssAnon:")? + kibibytes(&status, "RssShmem:")?)
        }
    });
    used.sum::<u64>() > mebibytes.saturating_mul(1 << 10)
}

/// Whether a process is a copy of this one. Any process may take their names, but none that executes another file than this one.
fn is_copy(process: u32, status: &str) -> bool {
    let name = field(status, "Name:").unwrap_or_default();
    let is_named = COPIES.iter().any(|copy| copy.to_bytes() == name.as_bytes());
    let executable = |process: &str| fs::read_link(format!("/proc/{process}/exe")).ok();
    is_named && executable(&process.to_string()) == executable("self")
}

/// This process and its descendants.
fn tree(root: u32) -> Vec<u32> {
    let mut tree = vec![root];
    let mut position = 0;
    while let Some(&process) = tree.get(position) {
        tree.extend(children(process));
        position += 1;
    }
    tree
}

/// The children of a process, which are those of its threads; none if it is gone.
fn children(process: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{process}/task"));
    let threads = threads.into_iter().flatten().flatten();
    let lists =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace()
                .flat_map(str::parse)
                .collect::<Vec<_>>()
        })
        .collect()
}

fn kibibytes(status: &str, name: &str) -> Option<u64> {
    field(status, name)?.strip_suffix("kB")?.trim().parse().ok()
}

fn field<'a>(status: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = status.lines();
    lines
        .find_map(|line| line.strip_prefix(name))
        .map(str::trim)
}
