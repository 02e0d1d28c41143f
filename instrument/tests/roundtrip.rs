//! Instrumented bitcode means the program with the planned locations marked, and nothing else.
#![allow(clippy::disallowed_methods)] // The names and texts are the project's own.

use std::path::PathBuf;

use frontend::input::Input;
use frontend::testing::{load_path, try_load_as};
use frontend::{Loaded, ReadOptions, load};
use instrument::{
    Asked, ConditionKind, EmitError, Mismatch, Plan, Reduction, emit, plan, plan_under, recheck,
};
use program::model::{Mark, PhaseAnnotation};
use program::points_to::PointsTo;
use program::threads::{Bounds, instantiate};

/// All example programs.
fn examples() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../c-examples");
    let mut found = Vec::new();
    let mut pending = vec![PathBuf::from(folder)];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).expect("the examples exist") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "c") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn plan_for(loaded: &Loaded, reduction: Reduction) -> Plan {
    let instances = instantiate(&loaded.program, &Bounds::default());
    let points_to = PointsTo::analyse(&loaded.program, &instances);
    let kinds = ConditionKind::ALL.into();
    let conditions = (&kinds, Asked::All);
    plan_under(
        &loaded.program,
        &instances,
        &points_to,
        reduction,
        conditions,
    )
}

#[test]
fn reading_what_was_emitted_gives_the_planned_program() {
    let examples = examples();
    assert!(!examples.is_empty());
    let mut conditional = 0;
    for path in examples.into_iter().step_by(3) {
        for reduction in Reduction::ALL {
            let loaded = load_path(&path, &[]);
            let plan = plan_for(&loaded, reduction);
            let templates = plan.templates.values();
            conditional += templates
                .map(|plan| plan.yields_if_committed.len())
                .sum::<usize>();
            let bytes = emit(&loaded, &plan).expect("the plan fits the module");
            let mut planned = loaded.program.clone();
            plan.apply(&mut planned);
            let name = path.display().to_string();
            let again = load(&Input::Bitcode { name, bytes }, &ReadOptions::default())
                .expect("the result can be read");
            assert!(
                again.program == planned,
                "{} changes its meaning under {reduction}",
                path.display()
            );
        }
    }
    assert!(
        conditional > 10,
        "{conditional} locations depend on the phase"
    );
}

/// The plan as `instrument` makes it.
fn usual_plan(loaded: &Loaded, reduction: Reduction) -> Plan {
    let instances = instantiate(&loaded.program, &Bounds::default());
    let points_to = PointsTo::analyse(&loaded.program, &instances);
    plan(&loaded.program, &instances, &points_to, reduction)
}

/// Writes a plan into bitcode, reads that again, and has it compared with the plan for its original.
fn rechecked(original: &[u8], plan: &Plan) -> Result<(), Mismatch> {
    let read = |bytes| {
        let name = "given".to_owned();
        let read = load(&Input::Bitcode { name, bytes }, &ReadOptions::default());
        read.expect("it can be read")
    };
    let bytes = emit(&read(original.to_vec()), plan).expect("the plan fits the module");
    let again = read(bytes);
    let instrumentation = again.instrumentation.as_ref();
    recheck(&again, instrumentation.expect("it is instrumented"))
}

#[test]
fn what_was_emitted_agrees_with_the_plan_made_anew() {
    for path in examples().into_iter().step_by(8) {
        for reduction in Reduction::ALL {
            let loaded = load_path(&path, &[]);
            let result = rechecked(loaded.original(), &usual_plan(&loaded, reduction));
            assert!(result.is_ok(), "{} {reduction}: {result:?}", path.display());
        }
    }
}

/// All plans that lack one mark of a plan, or one part of a both-moving condition.
fn weaker(plan: &Plan) -> Vec<Plan> {
    let mut all = Vec::new();
    let mut change = |change: &dyn Fn(&mut Plan)| {
        let mut weaker = plan.clone();
        change(&mut weaker);
        all.push(weaker);
    };
    for (id, template) in plan.templates.iter() {
        for location in template.yields.keys() {
            change(&|plan| {
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
                change(&with(|marks| marks.yields_if_committed = Mark::Never));
            }
            if marks.commits != Mark::Never {
                change(&with(|marks| marks.commits = Mark::Never));
            }
            if marks.both_mover.unreached.len() > 1 {
                change(&with(|marks| {
                    marks.both_mover.unreached.pop_last();
                }));
            }
        }
    }
    all
}

#[test]
fn weaker_plans_are_refused() {
    let mut number = 0;
    for path in examples().into_iter().step_by(15) {
        let loaded = load_path(&path, &[]);
        for plan in weaker(&usual_plan(&loaded, Reduction::Dynamic)) {
            let result = rechecked(loaded.original(), &plan);
            assert!(
                matches!(result, Err(Mismatch::FewerYields { .. })),
                "{}: {result:?}",
                path.display()
            );
            number += 1;
        }
    }
    assert!(number > 100, "{number} plans");
}

#[test]
fn what_is_instrumented_is_not_instrumented_again() {
    let path = examples().into_iter().next().expect("there are examples");
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
    for path in examples().into_iter().step_by(5) {
        let run = || {
            let loaded = load_path(&path, &[]);
            let plan = plan_for(&loaded, Reduction::Static);
            let bytes = emit(&loaded, &plan).expect("the plan fits the module");
            (plan, bytes)
        };
        assert!(run() == run(), "{}", path.display());
    }
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
