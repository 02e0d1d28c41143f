//! The points-to sets contain every address that is used in some run.

mod random_programs;

use std::path::Path;

use crate::common::Script;
use abi::ids::InstanceId;
use explicit::explore::{SearchLimits, for_each_state};
use explicit::interpret::{Interpreter, State, StepResult};
use frontend::testing::load_path;
use program::builder::{ProgramBuilder, TemplateBuilder, constant, global};
use program::check::check;
use program::model::{
    BinaryOperator, Cast, GlobalId, Instances, Operand, Operation, Place, Program, RegisterId,
    Statement,
};
use program::points_to::{Offsets, PointsTo, Targets};
use program::threads::{Bounds, instantiate};
use proptest::prelude::*;
use random_programs::{Action, action, program_of};

/// The address that a statement accesses.
fn accessed(statement: &Statement) -> Option<Operand> {
    if let Statement::Load { address, .. }
    | Statement::Store { address, .. }
    | Statement::AtomicRmw { address, .. }
    | Statement::CompareExchange { address, .. }
    | Statement::Mutex { mutex: address, .. } = *statement
    {
        Some(address)
    } else {
        None
    }
}

/// Executes statements of threads in the order of `turns`, as far as they go, and checks the address of each valid access.
/// Returns how many there were.
fn check_run(program: &Program, turns: &[u32], inputs: &[u128]) -> usize {
    assert_eq!(check(program), []);
    let instances = instantiate(program, &Bounds::default());
    let points_to = PointsTo::analyse(program, &instances);
    let interpreter = Interpreter::new(program, &instances);
    let mut state = interpreter.initial();
    let mut accesses = 0;
    for &turn in turns {
        let thread = InstanceId(turn % instances.threads.len() as u32);
        let mut script = Script {
            inputs: inputs.repeat(8),
            ..Script::default()
        };
        let StepResult::Executed {
            state: next,
            executed,
            ..
        } = interpreter.step(&state, thread, &mut script)
        else {
            continue;
        };
        let template = &program.templates[instances.threads[thread].template];
        let address = accessed(&template.edges[executed.edge].statement)
            .filter(|_| executed.undefined.is_none());
        if let Some(address) = address {
            accesses += 1;
            check_access(&instances, &points_to, &state, thread, address);
        }
        state = next;
    }
    accesses
}

/// The value of an address operand in a state.
fn concrete(instances: &Instances, state: &State, thread: InstanceId, address: Operand) -> u64 {
    match address {
        Operand::Register(register) => state.register(thread, register) as u64,
        Operand::Constant(bits) => bits.value as u64,
        Operand::Address(place, offset) => instances.address(thread, place, offset),
    }
}

fn check_access(
    instances: &Instances,
    points_to: &PointsTo,
    state: &State,
    thread: InstanceId,
    address: Operand,
) {
    let concrete = concrete(instances, state, thread, address);
    let (object, offset) = instances.locate(concrete).expect("the access is valid");
    let targets = points_to.targets(thread, address);
    assert!(
        targets.contains(object, offset),
        "{address:?} of {thread} is at {object} + {offset}, not in {targets:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_used_address_is_in_its_set(
        main in prop::collection::vec(action(), 1..16),
        thread in prop::collection::vec(action(), 1..10),
        turns in prop::collection::vec(0u32..3, 150),
        inputs in prop::collection::vec(0u128..4, 32),
    ) {
        check_run(&program_of(&main, &thread), &turns, &inputs);
    }
}

#[test]
fn the_random_programs_do_access_memory() {
    let actions = [
        Action::Load(0),
        Action::Store(0, 2),
        Action::CopyBytes(0, 1, 8),
        Action::Load(1),
        Action::Load(4),
        Action::Create(3),
    ];
    let accesses = check_run(
        &program_of(&actions, &[Action::Load(0), Action::Load(1)]),
        &[0; 64],
        &[0; 4],
    );
    assert!(accesses > 16, "{accesses}");
}

/// The targets of the registers that `build` returns, in the main thread.
fn targets<const N: usize>(
    build: impl FnOnce(&mut TemplateBuilder<'_>, GlobalId) -> [RegisterId; N],
) -> ([Targets; N], program::model::ObjectId) {
    let mut builder = ProgramBuilder::new("exact");
    let variable = builder.global("variable", &[0; 64]);
    let mut main = builder.main();
    let registers = build(&mut main, variable);
    main.finish();
    let program = builder.finish();
    assert_eq!(check(&program), []);
    let instances = instantiate(&program, &Bounds::default());
    let points_to = PointsTo::analyse(&program, &instances);
    let object = instances.resolve(InstanceId::MAIN, Place::Global(variable));
    (
        registers.map(|register| points_to.targets(InstanceId::MAIN, register.into())),
        object,
    )
}

#[test]
fn offsets_are_exact_or_strides_where_they_can_be() {
    let (registers, object) = targets(|main, variable| {
        let at = |constant, indices| Operation::Offset {
            base: global(variable),
            constant,
            indices,
        };
        let field = main.assign(64, at(8, Vec::new()));
        let index = main.havoc(32);
        let element = main.assign(64, at(4, vec![(index.into(), 16)]));
        main.store(element, field);
        let loaded = main.load(64, field);
        let small = main.havoc(32);
        let integer = main.assign(64, Operation::Cast(Cast::ZeroExtend, small.into()));
        let wide = main.havoc(64);
        let tagged = main.binary(BinaryOperator::Or, field, constant(64, 1));
        let bits = main.havoc(1);
        let mark = main.assign(64, Operation::Cast(Cast::ZeroExtend, bits.into()));
        let marked = main.binary(BinaryOperator::Or, tagged, mark);
        let plain = main.binary(BinaryOperator::And, marked, constant(64, -2));
        let rounded = main.binary(BinaryOperator::And, element, constant(64, -8));
        [
            field, element, loaded, integer, wide, tagged, marked, plain, rounded,
        ]
    });
    let [
        field,
        element,
        loaded,
        integer,
        wide,
        tagged,
        marked,
        plain,
        rounded,
    ] = registers;
    let only = |offsets| Targets {
        objects: vec![(object, offsets)],
        other: false,
    };
    assert_eq!(field, only(Offsets::Exact(8)));
    assert_eq!(element, only(Offsets::Stride { first: 4, step: 16 }));
    assert_eq!(loaded, only(Offsets::Stride { first: 4, step: 16 }));
    let number = |other| Targets {
        objects: Vec::new(),
        other,
    };
    assert_eq!(integer, number(false));
    assert_eq!(wide, number(true));
    assert_eq!(tagged, only(Offsets::Exact(9)));
    assert_eq!(marked, only(Offsets::Any));
    assert_eq!(plain, only(Offsets::Exact(8)));
    assert_eq!(rounded, only(Offsets::Stride { first: 0, step: 16 }));
}

#[test]
fn what_parts_of_numbers_make_is_no_address() {
    let ([numbers, address], _) = targets(|main, variable| {
        let at = |constant| Operation::Offset {
            base: global(variable),
            constant,
            indices: Vec::new(),
        };
        let [second, third, fourth] = [4, 12, 16].map(|offset| main.assign(64, at(offset)));
        let half = main.havoc(32);
        main.store(half, global(variable));
        main.store(half, second);
        let numbers = main.load(64, global(variable));
        main.store(global(variable), fourth);
        let part_of_address = main.load(64, third);
        [numbers, part_of_address]
    });
    assert_eq!(numbers, Targets::default());
    assert!(address.other);
}

#[test]
fn a_store_through_a_number_may_change_everything() {
    let ([through], _) = targets(|main, variable| {
        // Where the variable is: it is the first object. Nothing tells the analysis.
        let number = main.havoc(64);
        main.store(global(variable), number);
        let loaded = main.load(64, global(variable));
        [loaded]
    });
    assert!(through.other);
}

/// Every access that some reachable state of a program is about to make, up to a number of states.
fn check_reachable(program: &Program) -> usize {
    assert_eq!(check(program), []);
    let instances = instantiate(program, &Bounds::default());
    let points_to = PointsTo::analyse(program, &instances);
    let limits = SearchLimits {
        states: 20_000,
        ..SearchLimits::default()
    };
    let mut accesses = 0;
    for_each_state(program, &instances, &limits, &mut |state| {
        for (thread, instance) in instances
            .threads
            .iter()
            .filter(|(thread, _)| state.is_started(*thread))
        {
            let edges = program.templates[instance.template].edges.values();
            for edge in edges.filter(|edge| edge.source == state.location(thread)) {
                if let Some(address) = accessed(&edge.statement) {
                    let operand = concrete(&instances, state, thread, address);
                    if instances.locate(operand).is_some() {
                        accesses += 1;
                        check_access(&instances, &points_to, state, thread, address);
                    }
                }
            }
        }
    });
    accesses
}

#[test]
fn every_address_in_reachable_states_of_examples_is_in_its_set() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../c-examples");
    for name in [
        "load_balancing",
        "list_sorted",
        "mcs_lock",
        "queue_malloc",
        "memory_copy",
        "hash_table_insert",
        "function_table",
        "lock_in_heap",
    ] {
        let loaded = load_path(&examples.join(name).with_extension("c"), &["-O0"]);
        assert!(check_reachable(&loaded.program) > 0, "{name}");
    }
}
