//! The points-to sets contain every address that is used in some run.

mod common;

use std::path::Path;

use abi::ids::InstanceId;
use common::Script;
use explicit::explore::{Limits, for_each_state};
use explicit::interpret::{Interpreter, State, Step};
use frontend::input::Input;
use frontend::{ReadOptions, load};
use program::builder::{ProgramBuilder, TemplateBuilder, constant, function, global, local};
use program::check::check;
use program::layout::convert;
use program::model::{
    BinaryOperator, Cast, GlobalId, Instances, LocalId, Operand, Operation, Place, Program,
    RegisterId, Statement, UpdateOperator,
};
use program::points_to::{Offsets, PointsTo, Targets};
use program::threads::{Bounds, instantiate};
use proptest::prelude::*;

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
        let Step::Executed {
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

/// A statement over a pool of 64-bit registers and small variables.
#[derive(Clone, Debug)]
enum Action {
    Take(usize, u32),
    Load(usize),
    Store(usize, usize),
    CopyBytes(usize, usize, u32),
    CopyWide(usize, usize),
    Move(usize, i64),
    Index(usize, u64),
    Mask(usize, u64),
    Tag(BinaryOperator, usize, u64),
    AnyTag(usize),
    Add(usize, usize),
    Choose(usize, usize),
    Exchange(usize, usize),
    Swap(usize, usize, usize),
    Allocate,
    Create(usize),
}

fn action() -> impl Strategy<Value = Action> {
    let r = || 0usize..64;
    prop_oneof![
        (r(), 0u32..3).prop_map(|(place, offset)| Action::Take(place, 8 * offset)),
        r().prop_map(Action::Load),
        (r(), r()).prop_map(|(value, address)| Action::Store(value, address)),
        (r(), r(), 1u32..9).prop_map(|(from, to, count)| Action::CopyBytes(from, to, count)),
        (r(), r()).prop_map(|(from, to)| Action::CopyWide(from, to)),
        (r(), -2i64..3).prop_map(|(pointer, by)| Action::Move(pointer, 8 * by)),
        (r(), 0u64..3).prop_map(|(pointer, scale)| Action::Index(pointer, 8 * scale)),
        (r(), 1u64..8).prop_map(|(pointer, bits)| Action::Mask(pointer, bits)),
        (r(), 1u64..8).prop_map(|(pointer, tag)| Action::Tag(BinaryOperator::Or, pointer, tag)),
        (r(), 1u64..8).prop_map(|(pointer, tag)| Action::Tag(BinaryOperator::Xor, pointer, tag)),
        r().prop_map(Action::AnyTag),
        (r(), r()).prop_map(|(left, right)| Action::Add(left, right)),
        (r(), r()).prop_map(|(one, other)| Action::Choose(one, other)),
        (r(), r()).prop_map(|(address, value)| Action::Exchange(address, value)),
        (r(), r(), r()).prop_map(|(address, old, new)| Action::Swap(address, old, new)),
        Just(Action::Allocate),
        r().prop_map(Action::Create),
    ]
}

/// A thread under construction with the registers that hold addresses.
struct Pool<'a, 'b> {
    thread: &'a mut TemplateBuilder<'b>,
    registers: Vec<RegisterId>,
    places: Vec<Operand>,
}

impl Pool<'_, '_> {
    fn get(&self, index: usize) -> Operand {
        Operand::Register(self.registers[index % self.registers.len()])
    }

    fn take(&mut self, place: Operand) {
        let register = self.thread.assign(64, Operation::Copy(place));
        self.registers.push(register);
    }

    fn act(&mut self, action: &Action, start: Operand, handle: GlobalId) {
        let get = |index| self.get(index);
        match *action {
            Action::Take(place, offset) => {
                let Operand::Address(place, _) = self.places[place % self.places.len()] else {
                    return;
                };
                self.take(Operand::Address(place, offset));
            }
            Action::Load(address) => {
                let address = get(address);
                let loaded = self.thread.load(64, address);
                self.registers.push(loaded);
            }
            Action::Store(value, address) => {
                let (value, address) = (get(value), get(address));
                self.thread.store(value, address);
            }
            Action::CopyBytes(from, to, count) => self.copy_bytes(get(from), get(to), count),
            Action::CopyWide(from, to) => {
                let (from, to) = (get(from), get(to));
                let value = self.thread.load(128, from);
                self.thread.store(value, to);
            }
            Action::Move(base, constant) => {
                let base = get(base);
                let offset = Operation::Offset {
                    base,
                    constant: constant as u64,
                    indices: Vec::new(),
                };
                let moved = self.thread.assign(64, offset);
                self.registers.push(moved);
            }
            Action::Index(base, scale) => {
                let base = get(base);
                let index = self.thread.havoc(2);
                let indices = vec![(Operand::Register(index), scale)];
                let moved = self.thread.assign(
                    64,
                    Operation::Offset {
                        base,
                        constant: 0,
                        indices,
                    },
                );
                self.registers.push(moved);
            }
            Action::Mask(pointer, bits) => {
                let mask = constant(64, !i128::from(bits));
                let pointer = get(pointer);
                let masked = self.thread.binary(BinaryOperator::And, pointer, mask);
                self.registers.push(masked);
            }
            Action::Tag(operator, pointer, tag) => {
                let tag = constant(64, tag.into());
                let pointer = get(pointer);
                let tagged = self.thread.binary(operator, pointer, tag);
                self.registers.push(tagged);
            }
            Action::AnyTag(pointer) => {
                let pointer = get(pointer);
                let bits = self.thread.havoc(2);
                let tag = Operation::Cast(Cast::ZeroExtend, bits.into());
                let tag = self.thread.assign(64, tag);
                let tagged = self.thread.binary(BinaryOperator::Or, pointer, tag);
                self.registers.push(tagged);
            }
            Action::Add(left, right) => {
                let (left, right) = (get(left), get(right));
                let sum = self.thread.binary(BinaryOperator::Add, left, right);
                let back = self.thread.binary(BinaryOperator::Subtract, sum, right);
                self.registers.extend([sum, back]);
            }
            Action::Choose(one, other) => {
                let (one, other) = (get(one), get(other));
                let condition = self.thread.havoc(1);
                let chosen = self
                    .thread
                    .assign(64, Operation::Select(condition.into(), one, other));
                self.registers.push(chosen);
            }
            Action::Exchange(address, operand) => {
                let (address, operand) = (get(address), get(operand));
                let register = self.thread.register(64);
                let operator = UpdateOperator::Exchange;
                self.thread.statement(Statement::AtomicRmw {
                    register,
                    address,
                    operator,
                    operand,
                });
                self.registers.push(register);
            }
            Action::Swap(address, expected, desired) => {
                let (address, expected, desired) = (get(address), get(expected), get(desired));
                let (register, success) = (self.thread.register(64), self.thread.register(1));
                let swap = Statement::CompareExchange {
                    register,
                    success,
                    address,
                    expected,
                    desired,
                };
                self.thread.statement(swap);
                self.registers.push(register);
            }
            Action::Allocate => {
                let allocated = self.thread.allocate(constant(64, 24), 24, true);
                self.registers.push(allocated);
            }
            Action::Create(argument) => {
                let argument = get(argument);
                self.thread.create(global(handle), start, argument);
            }
        }
    }

    fn copy_bytes(&mut self, from: Operand, to: Operand, count: u32) {
        for byte in 0..count {
            let [from, to] = [from, to].map(|base| {
                let constant = u64::from(byte);
                self.thread.assign(
                    64,
                    Operation::Offset {
                        base,
                        constant,
                        indices: Vec::new(),
                    },
                )
            });
            let value = self.thread.load(8, from);
            self.thread.store(value, to);
        }
    }
}

/// A program in which main and started threads do what the lists say.
fn program_of(main_actions: &[Action], thread_actions: &[Action]) -> Program {
    let mut builder = ProgramBuilder::new("random");
    let handle = builder.global("handle", &[0; 8]);
    let table = builder.global("table", &[0; 24]);
    let values = builder.global("values", &[0; 24]);
    builder.relocation(table, 0, Place::Global(values), 8);
    builder.relocation(table, 16, Place::Global(table), 0);
    let start = builder.function("worker");
    let places = vec![global(table), global(values)];
    let mut worker = builder.thread(start);
    let parameter = worker.parameter();
    let mut pool = Pool {
        registers: vec![parameter],
        places: places.clone(),
        thread: &mut worker,
    };
    pool.take(global(table));
    for action in thread_actions
        .iter()
        .filter(|action| !matches!(action, Action::Create(_)))
    {
        pool.act(action, function(start), handle);
    }
    worker.finish();
    let mut main = builder.main();
    let own: LocalId = main.local("own", 24);
    let mut pool = Pool {
        registers: Vec::new(),
        places,
        thread: &mut main,
    };
    pool.places.push(local(own));
    pool.take(global(table));
    pool.take(local(own));
    for action in main_actions {
        pool.act(action, function(start), handle);
    }
    main.finish();
    let mut program = builder.finish();
    convert(&mut program);
    program
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
    let limits = Limits {
        states: 20_000,
        ..Limits::default()
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
        let input = Input::File {
            path: examples.join(name).with_extension("c"),
            flags: vec!["-O0".to_owned()],
        };
        let loaded =
            load(&input, &ReadOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(check_reachable(&loaded.program) > 0, "{name}");
    }
}
