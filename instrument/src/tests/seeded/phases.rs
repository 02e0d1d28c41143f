//! Each rule about phases is needed: without it, the reduction misses the error of a program.

use program::model::{LocationKind, Program, Statement};

use super::super::programs::{Statements, Subject, threads};
use super::{needs, needs_under};
use crate::reduction::Reduction;
use crate::rules::Rules;

#[test]
fn post_if_maybe_post() {
    let program = threads(&[
        |thread, shared| {
            let input = thread.havoc(1);
            let (yes, no) = thread.branch(input);
            let end = thread.location(LocationKind::Ordinary);
            thread.set(shared.x, 1);
            thread.jump(end);
            thread.go_to(no);
            thread.jump(end);
            let _ = yes;
            thread.set(shared.x, 0);
        },
        |thread, shared| {
            let value = thread.get(shared.x);
            thread.require(value, 0);
        },
    ]);
    needs(|rules| rules.post_if_maybe_post = false, program);
}

#[test]
fn cut_post_cycles() {
    let program = threads(&[
        |thread, shared| {
            thread.set(shared.x, 1);
            let here = thread.here();
            thread.jump(here);
            let unreachable = thread.location(LocationKind::Ordinary);
            thread.go_to(unreachable);
        },
        |thread, shared| {
            let value = thread.get(shared.x);
            thread.require(value, 0);
        },
    ]);
    needs(|rules| rules.cut_post_cycles = false, program);
}

/// A thread that writes x on one of two ways, and then reads y; another one that writes y when it sees x.
fn writes_on_one_way() -> Program {
    threads(&[
        |thread, shared| {
            let choice = thread.havoc(1);
            let (write, skip) = thread.branch(choice);
            let join = thread.location(LocationKind::Ordinary);
            thread.go_to(write);
            thread.set(shared.x, 1);
            thread.edge(join, Statement::Skip);
            thread.go_to(skip);
            thread.edge(join, Statement::Skip);
            thread.go_to(join);
            let value = thread.get(shared.y);
            thread.require(value, 0);
        },
        |thread, shared| {
            let value = thread.get(shared.x);
            thread.only_if(value, 1);
            thread.set(shared.y, 1);
        },
    ])
}

#[test]
fn commits_are_remembered() {
    needs_under(
        Reduction::Phase,
        |rules| rules.commits_are_remembered = false,
        writes_on_one_way(),
    );
}

#[test]
fn a_phase_known_at_run_time_saves_states() {
    let subject = Subject::new(writes_on_one_way());
    let states = |reduction| {
        let plan = subject.plan(reduction, Rules::ALL);
        subject.explore(&plan).states
    };
    let (fixed, dynamic) = (states(Reduction::Static), states(Reduction::Phase));
    assert!(dynamic < fixed, "{dynamic} and {fixed} states");
}
