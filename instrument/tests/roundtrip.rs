//! Instrumented bitcode means the program with the planned locations marked, and nothing else.
#![allow(clippy::disallowed_methods)] // The names and texts are the project's own.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use frontend::input::Input;
use frontend::testing::{c_files, in_parallel, load_path, number_of, try_load_as};
use frontend::{Loaded, ReadOptions, load};
use instrument::{
    Asked, ConditionKind, EmitError, Mismatch, Plan, Reduction, emit, plan_under, recheck,
};
use program::model::{BothMoverCondition, Mark, PhaseAnnotation};
use program::points_to::PointsTo;
use program::threads::{Bounds, instantiate};

/// Most kinds of conditions are rare: these examples have some.
const RARE: [&str; 3] = [
    "cas_two_expected",
    "condition_freed",
    "dead_address_exchanged",
];

/// One of `one_of` example programs, and those of [`RARE`].
fn examples(one_of: usize) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../c-examples");
    let mut found = [c_files(&folder), c_files(&folder.join("paper"))].concat();
    found.retain(|path| {
        let is_rare = RARE
            .iter()
            .any(|rare| path.file_stem() == Some(OsStr::new(rare)));
        is_rare || number_of(path).is_multiple_of(one_of)
    });
    found
}

/// A plan for a program, with conditions of these kinds.
fn plan_with(
    loaded: &Loaded,
    reduction: Reduction,
    (kinds, asked): (&BTreeSet<ConditionKind>, Asked),
) -> Plan {
    let program = &loaded.program;
    let instances = instantiate(program, &Bounds::default());
    let points_to = PointsTo::analyse(program, &instances);
    plan_under(program, &instances, &points_to, reduction, (kinds, asked))
}

/// The plan with all conditions that there are.
fn plan_for(loaded: &Loaded, reduction: Reduction) -> Plan {
    plan_with(loaded, reduction, (&ConditionKind::ALL.into(), Asked::All))
}

/// All reductions with all kinds of conditions, and with each kind alone.
fn choices() -> Vec<(Reduction, BTreeSet<ConditionKind>)> {
    let all = Reduction::ALL.map(|reduction| (reduction, ConditionKind::ALL.into()));
    let alone = ConditionKind::ALL.map(|kind| (Reduction::Dynamic, BTreeSet::from([kind])));
    all.into_iter().chain(alone).collect()
}

#[test]
fn reading_what_was_emitted_gives_the_planned_program() {
    let conditional: Mutex<BTreeMap<BTreeSet<ConditionKind>, usize>> = Mutex::default();
    in_parallel(examples(16).into_iter(), |path| {
        let original = load_path(&path, &[]).original().to_vec();
        for (reduction, kinds) in choices() {
            let loaded = bitcode(original.clone());
            let plan = plan_with(&loaded, reduction, (&kinds, Asked::All));
            let templates = plan.templates.values();
            let phases = templates.flat_map(|plan| plan.phase.values());
            let asking = phases.filter(|marks| marks.both_mover != BothMoverCondition::default());
            let number = asking.count();
            let mut numbers = conditional.lock().expect("no thread panicked");
            *numbers.entry(kinds.clone()).or_default() += number;
            drop(numbers);
            let bytes = emit(&loaded, &plan).expect("the plan fits the module");
            let mut planned = loaded.program.clone();
            plan.apply(&mut planned);
            let again = bitcode(bytes);
            assert!(
                again.program == planned,
                "{} changes its meaning under {reduction} with {kinds:?}",
                path.display()
            );
        }
    });
    let conditional = conditional.into_inner().expect("no thread panicked");
    let least = conditional.values().min();
    assert!(
        least > Some(&0),
        "locations with conditions: {conditional:?}"
    );
}

fn bitcode(bytes: Vec<u8>) -> Loaded {
    let name = "given".to_owned();
    let read = load(&Input::Bitcode { name, bytes }, &ReadOptions::default());
    read.expect("it can be read")
}

/// Writes a plan into bitcode, reads that again, and has it compared with the plan for its original.
fn rechecked(original: &[u8], plan: &Plan) -> Result<(), Mismatch> {
    let bytes = emit(&bitcode(original.to_vec()), plan).expect("the plan fits the module");
    let again = bitcode(bytes);
    let instrumentation = again.instrumentation.as_ref();
    recheck(&again, instrumentation.expect("it is instrumented"))
}

#[test]
fn what_was_emitted_agrees_with_the_plan_made_anew() {
    in_parallel(examples(24).into_iter(), |path| {
        let loaded = load_path(&path, &[]);
        for (reduction, kinds) in choices() {
            let plan = plan_with(&loaded, reduction, (&kinds, Asked::Worthwhile));
            let result = rechecked(loaded.original(), &plan);
            assert!(
                result.is_ok(),
                "{} {reduction} {kinds:?}: {result:?}",
                path.display()
            );
        }
    });
}

/// The condition without one thing that it asks, for each thing, with the kind that asks it. What is left asks something.
fn weaker_conditions(condition: &BothMoverCondition) -> Vec<(ConditionKind, BothMoverCondition)> {
    let BothMoverCondition {
        unreached,
        apart,
        differs,
        locked,
    } = condition;
    let mut all = Vec::new();
    let mut change = |kind, change: &dyn Fn(&mut BothMoverCondition)| {
        let mut weaker = condition.clone();
        change(&mut weaker);
        if weaker != BothMoverCondition::default() {
            all.push((kind, weaker));
        }
    };
    for site in unreached {
        change(ConditionKind::Reachability, &|weaker| {
            weaker.unreached.remove(site);
        });
    }
    for part in apart {
        for site in &part.others {
            change(ConditionKind::Pointer, &|weaker| {
                let mut part = weaker.apart.take(part).expect("it is there");
                part.others.remove(site);
                if !part.others.is_empty() {
                    weaker.apart.insert(part);
                }
            });
        }
    }
    for part in differs {
        change(ConditionKind::Cas, &|weaker| {
            weaker.differs.remove(part);
        });
    }
    for part in locked {
        for site in &part.others {
            change(ConditionKind::Lock, &|weaker| {
                let mut part = weaker.locked.take(part).expect("it is there");
                part.others.remove(site);
                if !part.others.is_empty() {
                    weaker.locked.insert(part);
                }
            });
        }
    }
    all
}

/// All plans that lack one mark of a plan, or one thing that a both-moving condition asks, with the kind that asks it.
fn weaker(plan: &Plan) -> Vec<(Option<ConditionKind>, Plan)> {
    let mut all = Vec::new();
    let mut change = |kind, change: &dyn Fn(&mut Plan)| {
        let mut weaker = plan.clone();
        change(&mut weaker);
        all.push((kind, weaker));
    };
    for (id, template) in plan.templates.iter() {
        for location in template.yields.keys() {
            change(None, &|plan| {
                plan.templates[id].yields.remove(location);
            });
        }
        for (&location, marks) in &template.phase {
            let with = |change: fn(&mut PhaseAnnotation)| {
                move |plan: &mut Plan| {
                    let phase = &mut plan.templates[id].phase;
                    phase.entry(location).and_modify(change);
                }
            };
            if marks.yields_if_committed != Mark::Never {
                change(None, &with(|marks| marks.yields_if_committed = Mark::Never));
            }
            if marks.commits != Mark::Never {
                change(None, &with(|marks| marks.commits = Mark::Never));
            }
            for (kind, weaker) in weaker_conditions(&marks.both_mover) {
                change(Some(kind), &|plan| {
                    let phase = &mut plan.templates[id].phase;
                    let weaker = weaker.clone();
                    phase
                        .entry(location)
                        .and_modify(|marks| marks.both_mover = weaker);
                });
            }
        }
    }
    all
}

#[test]
fn weaker_plans_are_refused() {
    let numbers: Mutex<BTreeMap<Option<ConditionKind>, usize>> = Mutex::default();
    in_parallel(examples(30).into_iter(), |path| {
        let loaded = load_path(&path, &[]);
        let usual = (&ConditionKind::ALL.into(), Asked::Worthwhile);
        for (kind, plan) in weaker(&plan_with(&loaded, Reduction::Dynamic, usual)) {
            let result = rechecked(loaded.original(), &plan);
            assert!(
                matches!(result, Err(Mismatch::FewerYields { .. })),
                "{}: {result:?}",
                path.display()
            );
            let mut numbers = numbers.lock().expect("no thread panicked");
            *numbers.entry(kind).or_default() += 1;
        }
    });
    let numbers = numbers.into_inner().expect("no thread panicked");
    assert!(numbers[&None] > 100, "{numbers:?}");
    for kind in ConditionKind::ALL {
        assert!(numbers.contains_key(&Some(kind)), "{kind}: {numbers:?}");
    }
}

#[test]
fn what_is_instrumented_is_not_instrumented_again() {
    let path = examples(1).into_iter().next().expect("there are examples");
    let loaded = load_path(&path, &[]);
    let plan = plan_for(&loaded, Reduction::Static);
    let bytes = emit(&loaded, &plan).expect("the plan fits the module");
    let again = load(
        &Input::Bitcode {
            name: "again".to_owned(),
            bytes,
        },
        &ReadOptions::default(),
    )
    .expect("it is bitcode");
    assert!(matches!(
        emit(&again, &plan),
        Err(EmitError::AlreadyInstrumented)
    ));
}

#[test]
fn planning_twice_gives_the_same_plan_and_bitcode() {
    in_parallel(examples(10).into_iter(), |path| {
        let run = || {
            let loaded = load_path(&path, &[]);
            let plan = plan_for(&loaded, Reduction::Static);
            let bytes = emit(&loaded, &plan).expect("the plan fits the module");
            (plan, bytes)
        };
        assert!(run() == run(), "{}", path.display());
    });
}

/// Accesses to several scalars, with places for other threads in between.
#[test]
fn accesses_to_aggregates_are_divided_where_others_may_run() {
    for shared in [
        "{ i32, { i64, [2 x i8] } }",
        "[3 x i16]",
        "<8 x i32>",
        "<9 x i24>",
        "<8 x ptr>",
        "<4 x float>",
        "<2 x i64>",
    ] {
        let text = format!(
            "@shared = global {shared} zeroinitializer\n\
             declare i32 @pthread_create(ptr, ptr, ptr, ptr)\n\
             define ptr @copy(ptr %unused) {{\n  %value = load {shared}, ptr @shared\n  store {shared} %value, ptr @shared\n  ret ptr null\n}}\n\
             define i32 @main() {{\n  %thread = alloca i64\n  %code = call i32 @pthread_create(ptr %thread, ptr null, ptr @copy, ptr null)\n\
             %result = call ptr @copy(ptr null)\n  ret i32 0\n}}\n"
        );
        let loaded = try_load_as("aggregate.ll", text.as_bytes(), &[]);
        let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(loaded.program.unsupported.len(), 0, "{shared}");
        let plan = plan_for(&loaded, Reduction::None);
        let bytes = emit(&loaded, &plan).unwrap_or_else(|error| panic!("{shared}: {error}"));
        let mut planned = loaded.program.clone();
        plan.apply(&mut planned);
        let name = loaded.program.name.clone();
        let again = load(&Input::Bitcode { name, bytes }, &ReadOptions::default())
            .expect("the result can be read");
        assert!(again.program == planned, "{shared}");
    }
}
