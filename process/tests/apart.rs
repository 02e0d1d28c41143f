//! What is tried in a copy of the process leaves this one as it is.

use std::cell::Cell;
use std::process::abort;
use std::thread::sleep;
use std::time::{Duration, Instant};

use process::succeeds_apart;

/// No machine is so slow.
const LONG: Duration = Duration::from_secs(120);

#[test]
fn work_succeeds_if_it_says_so() {
    assert!(succeeds_apart(|| true, LONG));
    assert!(!succeeds_apart(|| false, LONG));
}

#[test]
fn work_that_ends_its_process_does_not_succeed() {
    assert!(!succeeds_apart(|| abort(), LONG));
    assert!(!succeeds_apart(|| std::process::exit(1), LONG));
    assert!(!succeeds_apart(|| panic!("in the copy"), LONG));
}

#[test]
fn work_that_takes_too_long_does_not_succeed() {
    let start = Instant::now();
    let sleeps = || {
        sleep(LONG);
        true
    };
    assert!(!succeeds_apart(sleeps, Duration::from_millis(50)));
    assert!(start.elapsed() < LONG);
}

#[test]
fn work_changes_nothing_here() {
    let number = Cell::new(1);
    let changes = || {
        number.set(2);
        number.get() == 2
    };
    assert!(succeeds_apart(changes, LONG));
    assert_eq!(number.get(), 1);
}

#[test]
fn work_is_done_beside_threads_that_allocate() {
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for size in 0..200 {
                    let copies = || vec![1u8; 1000 * size].iter().all(|byte| *byte == 1);
                    assert!(succeeds_apart(copies, LONG));
                }
            });
        }
    });
}
