//! What plans look like.

use program::builder::{constant, function, global};
use program::model::MutexOperation;

use super::programs::{Statements, Subject, threads, with_main};
use crate::class::Class;
use crate::plan::{Plan, Reduction};
use crate::reason::Reason;
use crate::rules::Rules;

/// The classes of the statements of a template that others may notice, in order.
fn classes(subject: &Subject, plan: &Plan, template: &str) -> Vec<Class> {
    let (id, _) = subject
        .program
        .templates
        .iter()
        .find(|(_, found)| found.name == template)
        .expect("the template exists");
    let plan = &plan.templates[id];
    plan.visible
        .iter()
        .map(|edge| plan.movers[edge].class)
        .collect()
}

fn yields(subject: &Subject, plan: &Plan, template: &str) -> usize {
    let (id, _) = subject
        .program
        .templates
        .iter()
        .find(|(_, found)| found.name == template)
        .expect("the template exists");
    plan.templates[id].yields.len()
}

#[test]
fn a_critical_section_is_one_transaction() {
    let body: super::programs::Body = |thread, shared| {
        thread.lock(shared.mutex);
        let value = thread.get(shared.x);
        thread.store(value, global(shared.x));
        thread.unlock(shared.mutex);
    };
    let subject = Subject::new(threads(&[body, body]));
    let plan = subject.plan(Reduction::Static, Rules::ALL);
    assert_eq!(
        classes(&subject, &plan, "thread0"),
        [Class::Right, Class::Both, Class::Both, Class::Left]
    );
    assert_eq!(yields(&subject, &plan, "thread0"), 0);
    let none = subject.plan(Reduction::None, Rules::ALL);
    assert_eq!(
        yields(&subject, &none, "thread0"),
        3,
        "the first statement is at the entry"
    );
}

#[test]
fn main_alone_moves_freely() {
    let program = with_main(
        &[|thread, shared| thread.set(shared.x, 1)],
        |main, shared| {
            let handle = main.load(64, global(shared.handles[0]));
            main.join(handle, None);
            let value = main.get(shared.x);
            main.require(value, 1);
        },
        |_, _| {},
    );
    let subject = Subject::new(program);
    let plan = subject.plan(Reduction::Static, Rules::ALL);
    let main = &plan.templates[subject.program.main];
    let reasons: Vec<Reason> = main
        .visible
        .iter()
        .map(|edge| main.movers[edge].reason)
        .collect();
    assert_eq!(reasons, [Reason::Starts, Reason::Joins, Reason::Alone]);
    assert_eq!(main.yields.len(), 1, "before the join");
}

#[test]
fn increments_commute_if_nobody_looks() {
    let body: super::programs::Body = |thread, shared| {
        thread.add(shared.x, 1);
        thread.add(shared.x, 2);
    };
    let subject = Subject::new(threads(&[body, body]));
    let plan = subject.plan(Reduction::Static, Rules::ALL);
    assert_eq!(
        classes(&subject, &plan, "thread0"),
        [Class::Both, Class::Both]
    );
}

#[test]
fn second_instances_of_a_template_conflict_with_the_first() {
    let program = with_main(
        &[],
        |main, shared| {
            for handle in &shared.handles[..2] {
                main.create(global(*handle), function(shared.extra), constant(64, 0));
            }
        },
        |thread, shared| {
            let value = thread.get(shared.x);
            thread.store(value, global(shared.x));
        },
    );
    let subject = Subject::new(program);
    let plan = subject.plan(Reduction::Static, Rules::ALL);
    assert_eq!(classes(&subject, &plan, "extra"), [Class::Non, Class::Non]);
    assert_eq!(yields(&subject, &plan, "extra"), 1);
}

#[test]
fn a_successful_try_lock_protects() {
    let body: super::programs::Body = |thread, shared| {
        let result = thread.mutex(MutexOperation::TryLock, global(shared.mutex));
        thread.only_if(result, 0);
        thread.set(shared.x, 1);
        thread.unlock(shared.mutex);
    };
    let subject = Subject::new(threads(&[body, body]));
    let plan = subject.plan(Reduction::Static, Rules::ALL);
    assert_eq!(
        classes(&subject, &plan, "thread0"),
        [Class::Non, Class::Both, Class::Non]
    );
}

#[test]
fn plans_of_both_reductions_are_ordered() {
    let body: super::programs::Body = |thread, shared| {
        thread.set(shared.x, 1);
        thread.lock(shared.mutex);
        thread.unlock(shared.mutex);
        thread.atomically(|thread| thread.set(shared.x, 0));
    };
    let subject = Subject::new(threads(&[body, body]));
    super::random::check_order(&subject);
}
