//! A written text can be read again, and an altered text is rejected by the reader or by the check.

use super::{Explored, MalformedStates, Scheduling};
use crate::explore::inductiveness::check;
use crate::explore::inductiveness::tests::{counter, search};
use program::model::{Instances, Program};

fn read(program: &Program, instances: &Instances, text: &str) -> Result<Explored, MalformedStates> {
    let scheduling = Scheduling::Visible;
    Explored::read(program, instances, scheduling, (1..).zip(text.lines()))
}

/// Whether a text is read and its states are confirmed.
fn holds(program: &Program, instances: &Instances, text: &str) -> bool {
    let explored = read(program, instances, text);
    explored.is_ok_and(|explored| check(program, instances, &explored).is_ok())
}

#[test]
fn what_is_written_is_read() {
    let (program, instances) = counter(2);
    let text = search(&program, &instances).to_string();
    let again = read(&program, &instances, &text).expect("it was written");
    assert_eq!(again.to_string(), text);
    assert!(holds(&program, &instances, &text));
}

/// Another program of the same shape: the states are some of it, and not all.
#[test]
fn states_of_another_program_do_not_hold() {
    let (program, instances) = counter(2);
    let text = search(&program, &instances).to_string();
    let (violated, instances) = counter(1);
    assert!(read(&violated, &instances, &text).is_ok());
    assert!(!holds(&violated, &instances, &text));
}

/// Every state is the first one or a successor, so none can be changed or left out.
#[test]
fn altered_states_do_not_hold() {
    let (program, instances) = counter(2);
    let text = search(&program, &instances).to_string();
    let lines: Vec<&str> = text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        let mut without = lines.clone();
        without.remove(index);
        assert!(!holds(&program, &instances, &without.join("\n")), "{line}");
        if line.starts_with("points") || line.starts_with("complete") {
            continue;
        }
        for position in 0..line.len() {
            for digit in ["0", "1", "7", "", " ", "x"] {
                let mut altered = (*line).to_owned();
                altered.replace_range(position..=position, digit);
                if altered == *line {
                    continue;
                }
                let mut all = lines.clone();
                all[index] = &altered;
                let all = all.join("\n");
                assert!(!holds(&program, &instances, &all), "{line} as {altered}");
            }
        }
    }
}

#[test]
fn what_cannot_be_a_state_is_refused_with_its_line() {
    let (program, instances) = counter(2);
    let text = search(&program, &instances).to_string();
    let lines: Vec<&str> = text.lines().collect();
    let first = |keyword: &str| {
        let mut numbered = (1..).zip(&lines);
        let found = numbered.find(|(_, line)| line.starts_with(keyword));
        found.expect("there is one").0
    };
    let refused = |line: usize, by: &str| {
        let mut all = lines.clone();
        all[line - 1] = by;
        let malformed = read(&program, &instances, &all.join("\n"));
        let malformed = malformed.expect_err(by);
        assert!(malformed.line >= line, "{by}: {malformed:?}");
    };
    for wide in ["complete 17", "complete -1", "complete", ""] {
        refused(first("complete"), wide);
    }
    for points in ["points", "points SSSS", "points X"] {
        refused(first("points"), points);
    }
    for memory in ["memory", "memory 0", "memory 00", "memory é", "memory 0g"] {
        refused(first("memory"), memory);
    }
    for thread in [
        "thread",
        "thread 1ffffffff",
        "thread 700000000",
        "thread 1 2 3 4 5 6 7 8 9",
    ] {
        refused(first("thread"), thread);
    }
    for state in [
        "state",
        "state 00 0 0 0",
        "state +0 0 0 0",
        "state 0",
        "state 9999999 0 0 0",
        "state 0 0 0 9999999",
        "state 0 0 0 -1",
    ] {
        refused(first("state"), state);
    }
    refused(first("state") + 1, lines[first("state") - 1]);
}
