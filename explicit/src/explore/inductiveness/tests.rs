//! The check accepts the states that the search finds, and rejects them if a part is missing.

use std::cell::Cell;

use cranelift_entity::EntityRef;

use super::{NotInductive, check, check_unless};
use crate::explore::points::SchedulingPoint;
use crate::explore::{Explored, Scheduling, SearchLimits, SearchVerdict, explore_and_keep};
use program::builder::{ProgramBuilder, constant, function, global, local};
use program::model::{
    BinaryOperator, Bits, Cast, Comparison, Instances, LocationKind, MutexOperation, Operand,
    Operation, Program, Property, Statement, TemplateId,
};
use program::threads::{Bounds, instantiate};

/// Two threads add an arbitrary bit to a counter under a mutex; afterwards it is at most `bound`.
pub(in crate::explore) fn counter(bound: i128) -> (Program, Instances) {
    let mut builder = ProgramBuilder::new("counter");
    let x = builder.global("x", &[0; 1]);
    let mutex = builder.global("mutex", &[0; 40]);
    let start = builder.function("worker");
    let mut worker = builder.thread(start);
    worker.mutex(MutexOperation::Lock, global(mutex));
    let bit = worker.havoc(1);
    let bit = worker.assign(8, Operation::Cast(Cast::ZeroExtend, Operand::Register(bit)));
    let value = worker.load(8, global(x));
    let sum = worker.binary(BinaryOperator::Add, value, bit);
    worker.store(sum, global(x));
    worker.mutex(MutexOperation::Unlock, global(mutex));
    worker.finish();
    let mut main = builder.main();
    let handles = [main.local("one", 8), main.local("other", 8)];
    for handle in handles {
        main.create(local(handle), function(start), constant(64, 0));
    }
    for handle in handles {
        let thread = main.load(64, local(handle));
        main.join(thread, None);
    }
    let value = main.load(8, global(x));
    let good = main.compare(Comparison::UnsignedLessEqual, value, constant(8, bound));
    main.assert(good);
    main.finish();
    instantiated(builder)
}

fn instantiated(builder: ProgramBuilder) -> (Program, Instances) {
    let program = builder.finish();
    let instances = instantiate(&program, &Bounds::default());
    (program, instances)
}

pub(in crate::explore) fn search(program: &Program, instances: &Instances) -> Explored {
    let (_, explored) = explore_and_keep(program, instances, &SearchLimits::default());
    explored.expect("the search is a proof")
}

#[test]
fn all_states_are_closed() {
    let (program, instances) = counter(2);
    let explored = search(&program, &instances);
    assert_eq!(check(&program, &instances, &explored), Ok(()));
}

#[test]
fn the_check_stops_when_it_is_asked_to() {
    let (program, instances) = counter(2);
    let explored = search(&program, &instances);
    let questions = Cell::new(0);
    let after_three = || {
        questions.set(questions.get() + 1);
        questions.get() > 3
    };
    let result = check_unless(&program, &instances, &explored, &after_three);
    assert_eq!(result, Err(NotInductive::Interrupted));
    assert_eq!(questions.get(), 4);
}

/// `main` alone writes 1000 times; what it reads after 800 of them, which is 50, is at most `bound`.
fn sequential(bound: i128) -> (Program, Instances) {
    let mut builder = ProgramBuilder::new("sequential");
    let x = builder.global("x", &[0; 1]);
    let mut main = builder.main();
    for number in 1..=1000 {
        main.store(constant(8, number % 75), global(x));
        if number == 800 {
            let value = main.load(8, global(x));
            let good = main.compare(Comparison::UnsignedLessEqual, value, constant(8, bound));
            main.assert(good);
        }
    }
    main.finish();
    instantiated(builder)
}

#[test]
fn few_states_of_the_only_thread_are_kept_and_all_are_checked() {
    let (program, instances) = sequential(50);
    let explored = search(&program, &instances);
    assert!(explored.states() < 10, "{}", explored.states());
    assert_eq!(check(&program, &instances, &explored), Ok(()));
    let (wrong, instances) = sequential(49);
    let result = check(&wrong, &instances, &explored);
    assert!(
        matches!(result, Err(NotInductive::Violated(_))),
        "{result:?}"
    );
    let (found, _) = explore_and_keep(&wrong, &instances, &SearchLimits::default());
    assert!(
        matches!(found.verdict, SearchVerdict::Unsafe(_)),
        "{:?}",
        found.verdict
    );
}

/// Turns end after 256 statements, at different places of the loop.
#[test]
fn a_loop_of_the_only_thread_ends_the_search() {
    for length in [1, 2, 3, 255, 256, 257] {
        let mut builder = ProgramBuilder::new("loop");
        let x = builder.global("x", &[0; 1]);
        let mut main = builder.main();
        let head = main.location(LocationKind::Ordinary);
        main.jump(head);
        for number in 0..length {
            main.store(constant(8, number % 100), global(x));
        }
        main.jump(head);
        let nowhere = main.location(LocationKind::Ordinary);
        main.go_to(nowhere);
        main.complete();
        let (program, instances) = instantiated(builder);
        let explored = search(&program, &instances);
        assert_eq!(check(&program, &instances, &explored), Ok(()), "{length}");
    }
}

/// A thread stores numbers in a loop that never ends, or to the end of the program.
#[test]
fn states_that_lead_back_to_themselves_are_refused_where_all_runs_have_to_end() {
    for is_endless in [false, true] {
        let mut builder = ProgramBuilder::new("loop");
        let x = builder.global("x", &[0; 1]);
        let mut main = builder.main();
        let head = main.location(LocationKind::Ordinary);
        main.jump(head);
        main.store(constant(8, 1), global(x));
        match is_endless {
            true => {
                main.jump(head);
                let nowhere = main.location(LocationKind::Ordinary);
                main.go_to(nowhere);
                main.complete();
            }
            false => {
                main.finish();
            }
        }
        let (mut program, instances) = instantiated(builder);
        let explored = search(&program, &instances);
        assert_eq!(check(&program, &instances, &explored), Ok(()));
        program.verify([Property::NoInfiniteRun].into());
        let expected = match is_endless {
            true => Err(NotInductive::Recurs),
            false => Ok(()),
        };
        assert_eq!(check(&program, &instances, &explored), expected);
        let limits = SearchLimits::default();
        let (exploration, _) = explore_and_keep(&program, &instances, &limits);
        let found = match exploration.verdict {
            SearchVerdict::Unsafe(violation) => violation.schedule.repeats_from.is_some(),
            SearchVerdict::Safe(()) | SearchVerdict::Unknown(_) => false,
        };
        assert_eq!(found, is_endless);
    }
}

#[test]
fn no_state_can_be_left_out() {
    let (program, instances) = counter(2);
    let states = search(&program, &instances).states() as u32;
    for removed in 0..states {
        let mut explored = search(&program, &instances);
        explored.kept.without(removed);
        let result = check(&program, &instances, &explored);
        if removed == 0 {
            assert_eq!(result, Err(NotInductive::Initial));
        } else {
            assert!(
                matches!(result, Err(NotInductive::Missing(_))),
                "{removed}: {result:?}"
            );
        }
    }
}

#[test]
fn states_of_a_program_with_an_error_are_refused() {
    let (program, instances) = counter(2);
    let explored = search(&program, &instances);
    let (wrong, _) = counter(1);
    let result = check(&wrong, &instances, &explored);
    assert!(
        matches!(result, Err(NotInductive::Violated(_))),
        "{result:?}"
    );
}

/// The search of a program that never does what this one does has lost the successors.
#[test]
fn a_search_that_lost_successors_is_refused() {
    let (program, instances) = counter(2);
    let mut less = program.clone();
    let mut changed = 0;
    for template in less.templates.values_mut() {
        for edge in template.edges.values_mut() {
            if let Statement::Havoc { register, .. } = edge.statement {
                let zero = Operand::Constant(Bits::new(1, 0));
                edge.statement = Statement::ParallelAssign(vec![(register, zero)]);
                changed += 1;
            }
        }
    }
    assert_eq!(changed, 1);
    let result = check(&program, &instances, &search(&less, &instances));
    assert!(
        matches!(result, Err(NotInductive::Missing(_))),
        "{result:?}"
    );
}

/// The program of [`counter`] where other threads may run only before a mutex is taken and a thread is joined, and the states of its
/// transactions.
fn reduced_counter() -> (Program, Instances, Explored) {
    let (mut program, instances) = counter(2);
    for template in program.templates.values_mut() {
        for edge in template.edges.values() {
            let waits = matches!(
                edge.statement,
                Statement::Join { .. }
                    | Statement::Mutex {
                        operation: MutexOperation::Lock,
                        ..
                    }
            );
            template.locations[edge.source].external |= waits;
        }
    }
    let limits = SearchLimits {
        scheduling: Scheduling::External,
        ..SearchLimits::default()
    };
    let (_, explored) = explore_and_keep(&program, &instances, &limits);
    (program, instances, explored.expect("the search is a proof"))
}

#[test]
fn states_of_a_reduced_program_are_closed_under_its_transactions() {
    let (program, instances, explored) = reduced_counter();
    assert_eq!(check(&program, &instances, &explored), Ok(()));
    let (original, _) = counter(2);
    assert!(explored.states() < search(&original, &instances).states());
    for removed in 1..explored.states() as u32 {
        let (program, instances, mut explored) = reduced_counter();
        explored.kept.without(removed);
        let result = check(&program, &instances, &explored);
        assert!(
            matches!(result, Err(NotInductive::Missing(_))),
            "{removed}: {result:?}"
        );
    }
}

#[test]
fn states_of_transactions_are_none_of_the_program() {
    let (program, instances, mut explored) = reduced_counter();
    explored.scheduling = Scheduling::Visible;
    let result = check(&program, &instances, &explored);
    assert!(
        matches!(result, Err(NotInductive::Passed(..))),
        "{result:?}"
    );
}

#[test]
fn external_locations_and_starts_of_threads_may_not_be_passed_over() {
    for point in [SchedulingPoint::Passed, SchedulingPoint::Own] {
        let (program, ..) = reduced_counter();
        let mut tried = 0;
        for (id, template) in &program.templates {
            for (place, location) in &template.locations {
                if !location.external && place != template.entry {
                    continue;
                }
                let (program, instances, mut explored) = reduced_counter();
                explored.points[id][place] = point;
                let result = check(&program, &instances, &explored);
                assert_eq!(result, Err(NotInductive::Passed(place, id)));
                tried += 1;
            }
        }
        assert_eq!(tried, 4);
    }
}

#[test]
fn wide_choices_are_refused() {
    let (program, instances) = counter(2);
    let mut explored = search(&program, &instances);
    explored.complete_width = 0;
    let result = check(&program, &instances, &explored);
    assert_eq!(result, Err(NotInductive::Wide(1)));
}

#[test]
fn visible_statements_may_not_be_passed_over() {
    let (program, instances) = counter(2);
    for (id, template) in &program.templates {
        for edge in template
            .edges
            .values()
            .filter(|edge| !edge.statement.is_private())
        {
            let mut explored = search(&program, &instances);
            if matches!(edge.statement, Statement::Return { .. }) {
                continue;
            }
            explored.points[id][edge.source] = SchedulingPoint::Passed;
            let result = check(&program, &instances, &explored);
            assert_eq!(result, Err(NotInductive::Passed(edge.source, id)));
        }
    }
}

/// A thread that runs in a circle would keep the others from running.
#[test]
fn cycles_must_be_interrupted() {
    let mut builder = ProgramBuilder::new("spin");
    builder.main().finish();
    let mut program = builder.finish();
    let template = &mut program.templates[TemplateId::new(0)];
    let entry = template.entry;
    for edge in template.edges.values_mut() {
        edge.statement = Statement::Skip;
        edge.target = entry;
    }
    let instances = instantiate(&program, &Bounds::default());
    let mut explored = search(&program, &instances);
    assert_eq!(check(&program, &instances, &explored), Ok(()));
    explored.points[TemplateId::new(0)][entry] = SchedulingPoint::Own;
    let result = check(&program, &instances, &explored);
    assert_eq!(result, Err(NotInductive::Cycle(TemplateId::new(0))));
}
