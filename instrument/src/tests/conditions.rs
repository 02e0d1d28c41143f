//! Both-moving conditions: tests that look for too few conflicts make the reduction miss an error, and each kind of condition saves states.

mod lock;

use std::collections::{BTreeMap, BTreeSet};

use crate::future_accesses::reaching_any;
use program::builder::{TemplateBuilder, constant, global};
use program::model::{
    Comparison, ConflictTest, GlobalId, LocationId, LocationKind, Program, Statement, TemplateId,
};

use super::explorer::{reduced, unreduced};
use super::movers::{check_conditions, check_conditions_of};
use super::programs::{Body, Shared, Statements, Subject, threads};
use super::seeded::needs_under;
use crate::conditions::ConditionKind;
use crate::planner::{Asked, plan_with};
use crate::reduction::Reduction;
use crate::rules::Rules;

/// Checks that all reductions find the error of the program, and that the dynamic one does not if what its statements ask
/// about others is changed.
fn needs_to_ask(otherwise: fn(&Program, &mut ConflictTest), program: Program) {
    let subject = Subject::new(program);
    assert!(
        unreduced(&subject.program, &subject.instances).error,
        "the program has an error"
    );
    for reduction in Reduction::ALL {
        let plan = subject.plan(reduction, Rules::ALL);
        assert!(subject.explore(&plan).error, "{reduction} finds it");
    }
    let mut blind = subject.program.clone();
    subject
        .plan(Reduction::Dynamic, Rules::ALL)
        .apply(&mut blind);
    crate::lower_phases(&mut blind);
    let known = blind.clone();
    for template in blind.templates.values_mut() {
        for edge in template.edges.values_mut() {
            if let Statement::TestConflicts { tests, .. } = &mut edge.statement {
                for test in tests {
                    otherwise(&known, test);
                }
            }
        }
    }
    assert!(!reduced(&blind, &subject.instances).error, "it is missed");
}

/// The locations that a test is about, by template.
fn region(test: &mut ConflictTest) -> Option<&mut BTreeMap<TemplateId, BTreeSet<LocationId>>> {
    if let ConflictTest::CanReach(locations) = test {
        Some(locations)
    } else {
        None
    }
}

fn write_twice(thread: &mut TemplateBuilder, shared: &Shared) {
    thread.set(shared.x, 1);
    thread.set(shared.x, 2);
}

#[test]
fn threads_at_their_entries_may_conflict() {
    let program = threads(&[write_twice, |thread, shared| {
        let value = thread.get(shared.x);
        thread.only_if(value, 1);
        thread.fail();
    }]);
    let without_entries = |program: &Program, test: &mut ConflictTest| {
        for (&template, locations) in region(test).into_iter().flatten() {
            locations.remove(&program.templates[template].entry);
        }
    };
    needs_to_ask(without_entries, program);
}

#[test]
fn conflicts_count_before_they_are_next() {
    let program = threads(&[write_twice, |thread, shared| {
        thread.get(shared.y);
        let value = thread.get(shared.x);
        thread.only_if(value, 1);
        thread.fail();
    }]);
    let only_next = |program: &Program, test: &mut ConflictTest| {
        for (&template, locations) in region(test).into_iter().flatten() {
            let template = &program.templates[template];
            let next = template.edges.values().filter(|edge| {
                let (Statement::Load { address, .. } | Statement::Store { address, .. }) =
                    edge.statement
                else {
                    return false;
                };
                address != global(variable(program, "y"))
            });
            let next: BTreeSet<LocationId> = next.map(|edge| edge.source).collect();
            locations.retain(|location| next.contains(location));
        }
    };
    needs_to_ask(only_next, program);
}

/// A variable that every test program has.
fn variable(program: &Program, name: &str) -> GlobalId {
    let mut globals = program.globals.iter();
    let found = globals.find(|(_, global)| global.name == name);
    found.expect("every test program has it").0
}

#[test]
fn conditional_yields_cut_no_cycle() {
    let program = threads(&[
        |thread, shared| {
            let passed = thread.get(shared.other_mutex);
            thread.only_if(passed, 1);
            thread.set(shared.y, 1);
            let head = thread.location(LocationKind::Ordinary);
            thread.edge(head, Statement::Skip);
            thread.go_to(head);
            thread.set(shared.x, 0);
            thread.edge(head, Statement::Skip);
            let nowhere = thread.location(LocationKind::Ordinary);
            thread.go_to(nowhere);
        },
        |thread, shared| {
            thread.get(shared.x);
            thread.set(shared.other_mutex, 1);
            let value = thread.get(shared.y);
            thread.only_if(value, 1);
            thread.fail();
        },
    ]);
    needs_under(
        Reduction::Dynamic,
        |rules| rules.conditional_yields_cut_no_cycle = false,
        program,
    );
}

#[test]
fn statements_move_when_nobody_can_get_to_a_conflict() {
    let program = threads(&[
        |thread, shared| {
            let value = thread.get(shared.x);
            thread.only_if(value, 1);
            for value in 2..5 {
                thread.set(shared.x, value);
                thread.set(shared.y, value);
            }
        },
        |thread, shared| {
            thread.get(shared.y);
            thread.set(shared.x, 1);
        },
    ]);
    let subject = Subject::new(program);
    let states = |reduction| {
        let plan = subject.plan(reduction, Rules::ALL);
        subject.explore(&plan).states
    };
    let (phase, dynamic) = (states(Reduction::Phase), states(Reduction::Dynamic));
    assert!(dynamic < phase, "{dynamic} and {phase} states");
    assert!(check_conditions(&subject) > 5);
}

/// What is read again is as it was if it was 1.
fn reads_twice(thread: &mut TemplateBuilder, shared: &Shared) {
    thread.set(shared.y, 1);
    let first = thread.get(shared.x);
    let second = thread.get(shared.x);
    thread.only_if(first, 1);
    thread.require(second, 1);
}

#[test]
fn every_expected_value_counts() {
    // The second compare-and-swap expects 1.
    let program = threads(&[
        |thread, shared| {
            thread.compare_exchange(shared.x, 0, 1);
            thread.compare_exchange(shared.x, 1, 2);
        },
        reads_twice,
    ]);
    let first_only = |_: &Program, test: &mut ConflictTest| {
        if let ConflictTest::CellHolds { values, .. } = test {
            values.retain(|value| value.value == 0);
        }
    };
    needs_to_ask(first_only, program);
}

#[test]
fn writes_beside_compare_and_swap_count() {
    let program = threads(&[
        |thread, shared| {
            thread.compare_exchange(shared.x, 0, 1);
            thread.set(shared.x, 3);
        },
        reads_twice,
    ]);
    let memory_only = |_: &Program, test: &mut ConflictTest| {
        if let Some(region) = region(test) {
            region.clear();
        }
    };
    needs_to_ask(memory_only, program);
}

#[test]
fn accesses_through_pointers_that_are_equal_count() {
    let program = threads(&[
        |thread, shared| {
            let ready = thread.get(shared.other_mutex);
            thread.only_if(ready, 1);
            let pointer = thread.pointer(shared);
            thread.store(constant(32, 1), pointer);
            thread.store(constant(32, 2), pointer);
        },
        |thread, shared| {
            let choice = thread.havoc(1);
            let (elsewhere, here) = thread.branch(choice);
            let join = thread.location(LocationKind::Ordinary);
            thread.go_to(elsewhere);
            thread.aim(shared, shared.y);
            thread.jump(join);
            thread.go_to(here);
            thread.jump(join);
            thread.set(shared.other_mutex, 1);
            let pointer = thread.pointer(shared);
            let found = thread.load(32, pointer);
            thread.only_if(found, 1);
            thread.fail();
        },
    ]);
    let apart = |_: &Program, test: &mut ConflictTest| {
        if let ConflictTest::MayAlias { accesses, .. } = test {
            accesses.clear();
        }
    };
    needs_to_ask(apart, program);
}

#[test]
fn who_writes_a_pointer_counts() {
    // The reader's pointer points elsewhere until the third thread, which is about to, lets it point to y.
    let program = threads(&[
        |thread, shared| {
            let ready = thread.get(shared.other_mutex);
            thread.only_if(ready, 1);
            let pointer = thread.pointer(shared);
            let before = thread.compare(Comparison::Equal, pointer, global(shared.x));
            thread.assume(before);
            thread.set(shared.y, 1);
            thread.set(shared.y, 2);
        },
        |thread, shared| {
            let pointer = thread.pointer(shared);
            let found = thread.load(32, pointer);
            thread.only_if(found, 1);
            thread.fail();
        },
        |thread, shared| {
            thread.set(shared.other_mutex, 1);
            thread.aim(shared, shared.y);
        },
    ]);
    let without_writers = |program: &Program, test: &mut ConflictTest| {
        for (&template, locations) in region(test).into_iter().flatten() {
            let template = &program.templates[template];
            let announcing = template.edges.values().filter(|edge| {
                matches!(edge.statement, Statement::Store { address, .. } if address == global(variable(program, "other_mutex")))
            });
            let announcing = announcing.map(|edge| edge.site).collect();
            let before = reaching_any(template, &announcing);
            locations.retain(|location| before.contains(location));
        }
    };
    needs_to_ask(without_writers, program);
}

/// How often conditions of one kind hold in the reachable states of a program, and how many states the dynamic reduction has
/// with and without them.
fn effect(kind: ConditionKind, program: Program) -> (usize, usize, usize) {
    let subject = Subject::new(program);
    let held = check_conditions_of(&subject, &[kind].into());
    let states = |kinds| {
        let plan = plan_with(
            subject.context(Rules::ALL),
            Reduction::Dynamic,
            (&kinds, Asked::All),
        );
        subject.explore(&plan).states
    };
    (held, states([kind].into()), states(BTreeSet::new()))
}

#[test]
fn memory_that_only_compare_and_swap_changes_saves_states() {
    let program = threads(&[
        |thread, shared| {
            thread.compare_exchange(shared.x, 0, 1);
            for _ in 0..3 {
                thread.get(shared.x);
                thread.set(shared.y, 1);
            }
        },
        |thread, shared| {
            thread.compare_exchange(shared.x, 0, 2);
            thread.get(shared.y);
        },
    ]);
    let (held, with, without) = effect(ConditionKind::Cas, program);
    assert!(held > 5 && with < without, "{held}: {with}, {without}");
}

#[test]
fn pointers_that_stay_apart_save_states() {
    let count: Body = |thread, shared| {
        let pointer = thread.pointer(shared);
        for value in 1..4 {
            thread.store(constant(32, value), pointer);
            thread.load(32, pointer);
        }
    };
    let program = threads(&[count, |thread, shared| {
        thread.aim(shared, shared.y);
        let pointer = thread.pointer(shared);
        for value in 1..4 {
            thread.store(constant(32, value), pointer);
            thread.load(32, pointer);
        }
    }]);
    let (held, with, without) = effect(ConditionKind::Pointer, program);
    assert!(held > 5 && with < without, "{held}: {with}, {without}");
}

/// How many conditions there are, and how many are used.
fn asked(program: Program) -> (usize, usize) {
    let subject = Subject::new(program);
    let count = |asked| {
        let conditions = (&ConditionKind::ALL.into(), asked);
        let plan = plan_with(subject.context(Rules::ALL), Reduction::Dynamic, conditions);
        let conditions = plan.templates.values().map(|plan| plan.conditions.len());
        conditions.sum()
    };
    (count(Asked::All), count(Asked::Worthwhile))
}

#[test]
fn conditions_that_hold_only_when_others_have_ended_are_not_used() {
    let last: Body = |thread, shared| {
        for _ in 0..4 {
            thread.get(shared.y);
            thread.set(shared.y, 1);
        }
        thread.set(shared.x, 1);
        thread.set(shared.x, 2);
    };
    let (all, used) = asked(threads(&[last, last]));
    assert!(all > 10 && used == 0, "{used} of {all}");
    let first: Body = |thread, shared| {
        thread.set(shared.x, 1);
        for _ in 0..4 {
            thread.get(shared.y);
            thread.set(shared.y, 1);
        }
    };
    let (_, used) = asked(threads(&[first, first]));
    assert_eq!(used, 2, "both write x before y");
}

/// Writes y twelve times, and x once before one of them.
fn write_before<const ROUND: usize>(thread: &mut TemplateBuilder, shared: &Shared) {
    for round in 0..12 {
        if round == ROUND {
            thread.set(shared.x, 1);
        }
        thread.set(shared.y, 1);
    }
}

#[test]
fn conditions_that_hold_at_a_third_of_the_places_of_others_are_used() {
    let bodies: [Body; 5] = [
        write_before::<1>,
        write_before::<7>,
        write_before::<8>,
        write_before::<9>,
        write_before::<11>,
    ];
    let used = bodies.map(|body| asked(threads(&[body, body])).1);
    assert_eq!(used, [2, 2, 2, 0, 0], "of writes to x");
}

#[test]
fn an_address_is_compared_with_few_others() {
    let program = threads(&[
        |thread, shared| {
            let pointer = thread.pointer(shared);
            thread.store(constant(32, 1), pointer);
        },
        |thread, shared| {
            thread.aim(shared, shared.y);
            for _ in 0..40 {
                let pointer = thread.pointer(shared);
                thread.load(32, pointer);
            }
        },
    ]);
    let subject = Subject::new(program);
    let plan = subject.plan(Reduction::Dynamic, Rules::ALL);
    let conditions = plan
        .templates
        .values()
        .flat_map(|plan| plan.conditions.values());
    let largest = conditions.map(|conditional| {
        let apart = conditional.condition.apart.iter();
        let compared: usize = apart.map(|apart| apart.others.len()).sum();
        (compared, conditional.condition.unreached.len())
    });
    // Each has a register of its own, and all come from one variable, whose writer must not be reached, either.
    assert_eq!(largest.max(), Some((31, 9 + 1)));
}
