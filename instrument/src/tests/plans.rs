//! What plans look like.

use program::builder::{constant, function, global};
use program::model::{BothMoverCondition, Mark, MutexOperation, Operation, Statement};

use super::programs::{Statements, Subject, threads, with_main};
use crate::mover_type::MoverType;
use crate::plan::Plan;
use crate::reason::MoverReason;
use crate::reduction::Reduction;
use crate::rules::Rules;

/// The mover types of the statements of a template that others may notice, in order.
fn mover_types(subject: &Subject, plan: &Plan, template: &str) -> Vec<MoverType> {
    let (id, _) = subject
        .program
        .templates
        .iter()
        .find(|(_, found)| found.name == template)
        .expect("the template exists");
    let plan = &plan.templates[id];
    plan.visible
        .iter()
        .map(|edge| plan.movers[edge].mover_type)
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
        thread.lock(global(shared.mutex));
        let value = thread.get(shared.x);
        thread.store(value, global(shared.x));
        thread.unlock(global(shared.mutex));
    };
    let subject = Subject::new(threads(&[body, body]));
    let plan = subject.plan(Reduction::Static, Rules::ALL);
    assert_eq!(
        mover_types(&subject, &plan, "thread0"),
        [
            MoverType::Right,
            MoverType::Both,
            MoverType::Both,
            MoverType::Left
        ]
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
    let reasons: Vec<MoverReason> = main
        .visible
        .iter()
        .map(|edge| main.movers[edge].reason)
        .collect();
    assert_eq!(
        reasons,
        [MoverReason::Starts, MoverReason::Joins, MoverReason::Alone]
    );
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
        mover_types(&subject, &plan, "thread0"),
        [MoverType::Both, MoverType::Both]
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
    assert_eq!(
        mover_types(&subject, &plan, "extra"),
        [MoverType::Non, MoverType::Non]
    );
    assert_eq!(yields(&subject, &plan, "extra"), 1);
}

#[test]
fn a_successful_try_lock_protects() {
    let body: super::programs::Body = |thread, shared| {
        let result = thread.mutex(MutexOperation::TryLock, global(shared.mutex));
        thread.only_if(result, 0);
        thread.set(shared.x, 1);
        thread.unlock(global(shared.mutex));
    };
    let subject = Subject::new(threads(&[body, body]));
    let plan = subject.plan(Reduction::Static, Rules::ALL);
    assert_eq!(
        mover_types(&subject, &plan, "thread0"),
        [MoverType::Non, MoverType::Both, MoverType::Non]
    );
}

#[test]
fn plans_of_both_reductions_are_ordered() {
    let body: super::programs::Body = |thread, shared| {
        thread.set(shared.x, 1);
        thread.lock(global(shared.mutex));
        thread.unlock(global(shared.mutex));
        thread.atomically(|thread| thread.set(shared.x, 0));
    };
    let subject = Subject::new(threads(&[body, body]));
    super::random::check_order(&subject);
}

#[test]
fn no_condition_is_moved_before_the_address_that_it_is_about() {
    let mut program = threads(&[
        |thread, shared| {
            let pointer = thread.pointer(shared);
            thread.havoc(1);
            let address = thread.assign(
                64,
                Operation::Offset {
                    base: pointer.into(),
                    constant: 0,
                    indices: Vec::new(),
                },
            );
            thread.store(constant(32, 1), address);
            thread.havoc(1);
            thread.store(constant(32, 2), address);
            thread.assign(32, Operation::Copy(constant(32, 0)));
        },
        |thread, shared| {
            thread.aim(shared, shared.y);
            let pointer = thread.pointer(shared);
            thread.store(constant(32, 3), pointer);
        },
    ]);
    let template = program
        .templates
        .keys()
        .find(|&id| program.templates[id].name == "thread0");
    let template = template.expect("the first thread");
    let edges = &mut program.templates[template].edges;
    let of = |wanted: fn(&Statement) -> bool| {
        let found = edges.iter().filter(|(_, edge)| wanted(&edge.statement));
        found.map(|(id, _)| id).collect::<Vec<_>>()
    };
    let havoc = of(|statement| matches!(statement, Statement::Havoc { .. }))[0];
    let assigns = of(|statement| matches!(statement, Statement::Assign { .. }));
    let stores = of(|statement| matches!(statement, Statement::Store { .. }));
    // Address and first store begin no instruction, as in code with several copies.
    for twins in [assigns, stores.clone()] {
        edges[twins[0]].site = edges[twins[1]].site;
    }
    let (start, own) = (edges[havoc].source, edges[stores[0]].source);
    let plan = Subject::new(program).plan(Reduction::Dynamic, Rules::ALL);
    let marks = &plan.templates[template].phase;
    assert!(!marks.contains_key(&own));
    assert_eq!(
        (marks[&start].commits, &marks[&start].both_mover),
        (Mark::Always, &BothMoverCondition::default())
    );
}
