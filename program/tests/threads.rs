//! How many threads and objects are enumerated, and where they are.

use abi::ids::InstanceId;
use program::builder::{ProgramBuilder, TemplateBuilder, constant, function, global, local};
use program::check::check;
use program::model::{
    FunctionId, HeapSiteId, Instances, LocationKind, ObjectId, ObjectKind, Operand, Operation,
    Place, Program, Statement, TemplateId,
};
use program::points_to::PointsTo;
use program::print::display;
use program::threads::{Allocation, Bounds, instantiate, represent, start_templates};

/// Creates a thread.
fn create(thread: &mut TemplateBuilder<'_>, start: Operand) {
    let handle = thread.local("handle", 8);
    thread.create(local(handle), start, constant(64, 0));
}

/// Goes round for ever.
fn forever(mut thread: TemplateBuilder<'_>, body: impl FnOnce(&mut TemplateBuilder<'_>)) {
    let head = thread.location(LocationKind::Ordinary);
    thread.jump(head);
    body(&mut thread);
    thread.jump(head);
    thread.complete();
}

fn count(program: &Program, bounds: &Bounds, start: FunctionId) -> usize {
    let instances = instantiate(program, bounds);
    let template = program.functions[start].template.expect("a start routine");
    assert!(
        instances
            .by_template(template)
            .all(|id| id != InstanceId::MAIN)
    );
    let ordinals: Vec<_> = instances
        .by_template(template)
        .map(|id| instances.threads[id].ordinal)
        .collect();
    assert_eq!(ordinals, (0..ordinals.len() as u32).collect::<Vec<_>>());
    ordinals.len()
}

const BOUNDS: Bounds = Bounds {
    threads: 5,
    heap: 4,
};

#[test]
fn sites_outside_of_loops_count_once_for_each_run_of_their_thread() {
    let mut builder = ProgramBuilder::new("chain");
    let [inner, outer, never] = ["inner", "outer", "never"].map(|name| builder.function(name));
    builder.thread(inner).finish();
    let mut thread = builder.thread(outer);
    create(&mut thread, function(inner));
    thread.finish();
    let mut thread = builder.thread(never);
    create(&mut thread, function(inner));
    thread.finish();
    let mut main = builder.main();
    create(&mut main, function(outer));
    create(&mut main, function(outer));
    create(&mut main, function(inner));
    main.finish();
    let program = builder.finish();
    assert_eq!(count(&program, &BOUNDS, outer), 2);
    assert_eq!(count(&program, &BOUNDS, inner), 3);
    assert_eq!(count(&program, &BOUNDS, never), 0);
}

#[test]
fn sites_in_loops_and_recursion_give_a_pool() {
    let mut builder = ProgramBuilder::new("loop");
    let [looped, recursive] = ["looped", "recursive"].map(|name| builder.function(name));
    builder.thread(looped).finish();
    let mut thread = builder.thread(recursive);
    create(&mut thread, function(recursive));
    thread.finish();
    let mut main = builder.main();
    create(&mut main, function(recursive));
    for _ in 0..2 {
        create(&mut main, function(looped));
    }
    forever(main, |main| create(main, function(looped)));
    let program = builder.finish();
    assert_eq!(count(&program, &BOUNDS, looped), 5);
    assert_eq!(count(&program, &BOUNDS, recursive), 5);
    let few = Bounds {
        threads: 1,
        heap: 1,
    };
    assert_eq!(
        count(&program, &few, looped),
        2,
        "the sites outside of the loop"
    );
    assert_eq!(count(&program, &few, recursive), 1);
}

#[test]
fn doubling_chains_are_cut() {
    let mut builder = ProgramBuilder::new("doubling");
    let functions: Vec<_> = (0..40)
        .map(|number| builder.function(&format!("f{number}")))
        .collect();
    for pair in functions.windows(2) {
        let mut thread = builder.thread(pair[0]);
        create(&mut thread, function(pair[1]));
        create(&mut thread, function(pair[1]));
        thread.finish();
    }
    builder.thread(functions[39]).finish();
    let mut main = builder.main();
    create(&mut main, function(functions[0]));
    main.finish();
    assert_eq!(count(&builder.finish(), &BOUNDS, functions[39]), 4096);
}

#[test]
fn a_computed_start_routine_may_be_any() {
    let mut builder = ProgramBuilder::new("computed");
    let [one, other, plain] = ["one", "other", "plain"].map(|name| builder.function(name));
    builder.thread(one).finish();
    builder.thread(other).finish();
    let mut main = builder.main();
    let chosen = main.havoc(1);
    let start = main.assign(
        64,
        Operation::Select(chosen.into(), function(one), function(other)),
    );
    create(&mut main, start.into());
    main.finish();
    let program = builder.finish();
    assert_eq!(count(&program, &BOUNDS, one), 1);
    assert_eq!(count(&program, &BOUNDS, other), 1);
    assert_eq!(start_templates(&program, start.into()).len(), 2);
    assert_eq!(start_templates(&program, function(plain)), []);
    let instances = instantiate(&program, &BOUNDS);
    assert_eq!(
        instances.start_candidates(&program, function(other)).len(),
        1
    );
    assert_eq!(
        instances.start_candidates(&program, start.into()),
        [InstanceId(1), InstanceId(2)]
    );
}

#[test]
fn copies_of_one_site_count_once_unless_one_follows_the_other() {
    let program = |in_sequence: bool| {
        let mut builder = ProgramBuilder::new("copies");
        let start = builder.function("worker");
        builder.thread(start).finish();
        let mut main = builder.main();
        let handle = main.local("handle", 8);
        let branch = main.havoc(1);
        let (yes, no) = main.branch(branch);
        for location in [yes, no] {
            main.go_to(location);
            main.create(local(handle), function(start), constant(64, 0));
            if in_sequence && location == yes {
                main.jump(no);
            } else {
                main.return_value(constant(64, 0));
            }
        }
        main.complete();
        let mut program = builder.finish();
        let edges = &mut program.templates[program.main].edges;
        let mut sites = edges
            .values_mut()
            .filter(|edge| matches!(edge.statement, Statement::Create { .. }));
        let first = sites.next().expect("a create").site;
        sites.for_each(|edge| edge.site = first);
        (program, start)
    };
    let (exclusive, start) = program(false);
    assert_eq!(count(&exclusive, &BOUNDS, start), 1);
    let (repeated, start) = program(true);
    assert_eq!(count(&repeated, &BOUNDS, start), 5);
}

/// A worker, started twice, allocates once and in a loop; `frees` adds a free.
fn heap(frees: bool) -> Program {
    let mut builder = ProgramBuilder::new("heap");
    let start = builder.function("worker");
    let mut worker = builder.thread(start);
    worker.allocate(constant(64, 8), 8, true);
    if frees {
        worker.statement(Statement::Free {
            address: constant(64, 0),
            automatic: false,
        });
    }
    forever(worker, |worker| {
        worker.allocate(constant(64, 24), 24, true);
    });
    let mut main = builder.main();
    create(&mut main, function(start));
    create(&mut main, function(start));
    main.finish();
    builder.finish()
}

fn slots(instances: &Instances) -> Vec<(u32, u32, u32)> {
    let slot = |object: &program::model::Object| match object.kind {
        ObjectKind::Heap { pool, slot } => Some((pool, slot, object.size)),
        ObjectKind::Function(_)
        | ObjectKind::Global(_)
        | ObjectKind::ThreadLocal(..)
        | ObjectKind::Local(..)
        | ObjectKind::Thread(_)
        | ObjectKind::Base(_)
        | ObjectKind::Nowhere => None,
    };
    instances.objects.values().filter_map(slot).collect()
}

/// The number of the first object of the heap.
fn first_slot(instances: &Instances) -> u32 {
    let mut objects = instances.objects.iter();
    let slot = objects.find(|(_, object)| matches!(object.kind, ObjectKind::Heap { .. }));
    slot.map_or(0, |(object, _)| object.as_u32())
}

#[test]
fn allocation_statements_have_pools_of_their_own_while_nothing_is_freed() {
    let program = heap(false);
    let instances = instantiate(&program, &BOUNDS);
    assert_eq!(
        slots(&instances),
        [
            (0, 0, 8),
            (0, 1, 8),
            (1, 0, 24),
            (1, 1, 24),
            (1, 2, 24),
            (1, 3, 24)
        ]
    );
    let first = first_slot(&instances);
    let [once, looped] = [0, 1].map(HeapSiteId::from_u32);
    assert_eq!(
        instances.allocation(once, InstanceId(1)),
        Allocation::Fixed(ObjectId::from_u32(first))
    );
    assert_eq!(
        instances.allocation(once, InstanceId(2)),
        Allocation::Fixed(ObjectId::from_u32(first + 1))
    );
    assert_eq!(
        instances.allocation(looped, InstanceId(2)),
        Allocation::Fresh(first + 2..first + 6)
    );
}

#[test]
fn one_pool_is_shared_if_anything_is_freed() {
    let instances = instantiate(&heap(true), &BOUNDS);
    let expected: Vec<_> = (0..6).map(|slot| (0, slot, 24)).collect();
    assert_eq!(slots(&instances), expected);
    let first = first_slot(&instances);
    let all = first..first + 6;
    for site in [0, 1].map(HeapSiteId::from_u32) {
        assert_eq!(
            instances.allocation(site, InstanceId(1)),
            Allocation::Reused(all.clone())
        );
    }
}

#[test]
fn objects_are_in_order_and_places_resolve_to_them() {
    let mut builder = ProgramBuilder::new("objects");
    let own = builder.thread_local("own", &[0; 2]);
    let shared = builder.global("shared", &[0; 3]);
    let start = builder.function("worker");
    let mut worker = builder.thread(start);
    let variable = worker.local("variable", 5);
    worker.store(constant(8, 0), global(own));
    worker.finish();
    let mut main = builder.main();
    create(&mut main, function(start));
    create(&mut main, function(start));
    main.finish();
    let program = builder.finish();
    let instances = instantiate(&program, &BOUNDS);
    let kinds: Vec<_> = instances
        .objects
        .values()
        .map(|object| object.kind)
        .collect();
    assert_eq!(kinds[0], ObjectKind::Function(start));
    assert_eq!(kinds[1], ObjectKind::Global(shared));
    let worker = InstanceId(2);
    let expected = [
        (Place::Function(start), ObjectKind::Function(start)),
        (Place::Global(shared), ObjectKind::Global(shared)),
        (Place::Global(own), ObjectKind::ThreadLocal(own, worker)),
        (Place::Local(variable), ObjectKind::Local(variable, worker)),
    ];
    for (place, kind) in expected {
        let object = instances.resolve(worker, place);
        assert_eq!(instances.objects[object].kind, kind);
        assert_eq!(
            instances.base(object),
            (1 << 47) + ((u64::from(object.as_u32()) + 1) << 32)
        );
        assert_eq!(
            instances.locate(instances.address(worker, place, 1)),
            Some((object, 1))
        );
    }
    assert_eq!(instances.locate(0), None);
    assert_eq!(instances.locate(u64::MAX), None);
    assert_eq!(
        instances.threads[InstanceId::MAIN].template,
        TemplateId::from_u32(1)
    );
}

/// A program whose `main` starts `work` in a loop; `work` does what is asked.
fn with_family(work: impl FnOnce(&mut TemplateBuilder<'_>)) -> Program {
    let mut builder = ProgramBuilder::new("family");
    let routine = builder.function("work");
    let mut thread = builder.thread(routine);
    work(&mut thread);
    thread.finish();
    forever(builder.main(), |main| create(main, function(routine)));
    builder.finish()
}

fn represented(program: &Program) -> Result<Program, String> {
    let bounds = Bounds {
        threads: 2,
        heap: 1,
    };
    let instances = instantiate(program, &bounds);
    let points_to = PointsTo::analyse(program, &instances);
    represent(program, &instances, &points_to, 2).map_err(|reason| reason.to_string())
}

#[test]
fn representatives_stand_for_the_threads_of_a_family() {
    let program = with_family(|thread| {
        thread.havoc(1);
    });
    let program = represented(&program).expect("nothing tells which thread it is");
    assert_eq!(check(&program), [], "{}", display(&program));
    let [family] = &program.families[..] else {
        panic!("one family")
    };
    let instances = instantiate(
        &program,
        &Bounds {
            threads: 1,
            heap: 1,
        },
    );
    let numbers = family
        .iter()
        .map(|&member| instances.by_template(member).count());
    assert_eq!(numbers.collect::<Vec<_>>(), [1, 1]);
    // A thread that is created may be none of them, and none is started twice.
    let main = &program.templates[program.main];
    let limit = main.locations[main.thread_limit].kind;
    assert_eq!(limit, LocationKind::Halted);
    let creations = main.edges.values();
    let creations = creations.filter(|edge| matches!(edge.statement, Statement::Create { .. }));
    assert_eq!(creations.count(), 2);
}

#[test]
fn threads_that_tell_which_one_they_are_are_not_represented() {
    let own = with_family(|thread| {
        let register = thread.register(32);
        thread.statement(Statement::SelfNumber { register });
    });
    let allocates = with_family(|thread| {
        thread.allocate(constant(64, 4), 4, false);
    });
    for (program, words) in [(own, "which one"), (allocates, "allocation")] {
        let refused = represented(&program).expect_err("it is refused");
        assert!(refused.contains(words), "{refused}");
    }
}
