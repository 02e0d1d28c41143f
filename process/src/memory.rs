//! The memory of this process and of everything that it has started.

use std::fs;
use std::process;

/// Whether this process and its descendants together have more resident memory than so many MiB.
///
/// Memory that several of them share counts once, and what other processes share with them counts in part (Linux: the
/// proportional set size). Finding that out takes time, so it is done only if the sum of resident sets, which is no less, exceeds
/// the limit.
pub fn uses_more_than(mebibytes: u64) -> bool {
    let tree = tree();
    let sum =
        |measure: fn(u32) -> Option<u64>| tree.iter().copied().filter_map(measure).sum::<u64>();
    let kibibytes = mebibytes.saturating_mul(1 << 10);
    sum(resident) > kibibytes
        && sum(|process| proportional(process).or_else(|| resident(process))) > kibibytes
}

/// This process and its descendants.
fn tree() -> Vec<u32> {
    let mut tree = vec![process::id()];
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

/// The resident set in KiB.
fn resident(process: u32) -> Option<u64> {
    field(process, "status", "VmRSS:")
}

/// The resident set in KiB, with a share only of what others have, too.
fn proportional(process: u32) -> Option<u64> {
    field(process, "smaps_rollup", "Pss:")
}

fn field(process: u32, file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/{file}")).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    value.trim().strip_suffix("kB")?.trim().parse().ok()
}
