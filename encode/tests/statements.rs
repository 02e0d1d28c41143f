//! Every pure operation and every kind of memory access against the reference interpreter: with the same nondeterministic
//! values, the encoded program computes what the interpreter computes.

use crate::common::{encoded, mark_visible};
use explicit::interpret::{Interpreter, NondeterministicChoice, Oracle, StepResult};
use program::builder::{ProgramBuilder, TemplateBuilder, global};
use program::model::{
    Agreement, BinaryOperator, Bits, Cast, Comparison, GlobalId, Operand, Operation, Place,
    Program, RegisterId, Statement, UpdateOperator,
};
use program::threads::{Bounds, instantiate};
use proptest::prelude::*;
use proptest::sample::select;
use rustc_hash::FxHashMap;
use system::eval::Evaluator;
use system::term::Value;
use system::transition_system::StateVariable;

/// Answers from a list, in order.
struct Script<'a>(std::iter::Copied<std::slice::Iter<'a, u128>>);

impl Oracle for Script<'_> {
    fn choose(&mut self, _: &NondeterministicChoice<'_>) -> u128 {
        self.0.next().expect("as many values as statements ask for")
    }
}

/// What `main` returns according to the interpreter; `None` if it ends at a limit.
fn interpreted(program: &Program, inputs: &[u128]) -> Option<u128> {
    let instances = instantiate(program, &Bounds::default());
    let interpreter = Interpreter::new(program, &instances);
    let mut script = Script(inputs.iter().copied());
    let mut state = interpreter.initial();
    let mut result = None;
    let template = &program.templates[program.main];
    while let StepResult::Executed {
        state: next,
        executed,
        ..
    } = interpreter.step(&state, instances.main(), &mut script)
    {
        if let Statement::Return {
            value: Some(Operand::Register(register)),
        } = template.edges[executed.edge].statement
        {
            result = Some(state.register(instances.main(), register));
        }
        state = next;
    }
    result
}

/// Whether the run of the encoded program with these inputs violates its assertion.
fn violates(program: Program, inputs: &[u128]) -> bool {
    let encoded = encoded(program);
    let system = &encoded.encoding.system;
    let mut state: FxHashMap<_, _> = system
        .state
        .iter()
        .map(|v| {
            // What is arbitrary at first is where objects lie.
            let zero = Value::zero(system.terms.sort(v.current));
            let initial = v
                .initial
                .map(|term| system.terms.as_value(term).expect("constant"));
            (v.current, initial.unwrap_or(zero))
        })
        .collect();
    let mut given = inputs.iter();
    loop {
        let mut symbols = state.clone();
        let next = given.next().copied().unwrap_or_default();
        for &input in &system.inputs {
            symbols.insert(input, Value::truncated(system.terms.width(input), next));
        }
        let mut evaluator = Evaluator::new(symbols);
        if evaluator
            .value(&system.terms, system.properties[0].bad)
            .is_true()
        {
            return true;
        }
        if !evaluator.value(&system.terms, system.guard).is_true() {
            return false;
        }
        let next = |v: &StateVariable| {
            let value = evaluator.value(&system.terms, v.next.expect("functional"));
            (v.current, value)
        };
        state = system.state.iter().map(next).collect();
    }
}

/// Computes a register from operands and from the bytes of a global.
type Compute = Box<dyn Fn(&mut TemplateBuilder<'_>, &[RegisterId], GlobalId) -> RegisterId>;

/// A program that chooses operands of these widths, one per block, computes a result from them, and asserts that it is not
/// `expected` if that is given.
fn program(widths: &[u32], compute: &Compute, expected: Option<Bits>) -> Program {
    let mut builder = ProgramBuilder::new("statement");
    let memory = builder.global(
        "memory",
        &[0x80, 0xff, 1, 0, 0x7f, 2, 0xfe, 3, 4, 5, 6, 7, 8],
    );
    let mut main = builder.main();
    let mut operands = Vec::new();
    let mut cuts = Vec::new();
    for &width in widths {
        operands.push(main.havoc(width));
        cuts.push(main.here());
    }
    let result = compute(&mut main, &operands, memory);
    match expected {
        Some(bits) => {
            let different = main.compare(Comparison::NotEqual, result, Operand::Constant(bits));
            main.assert(different);
            main.finish();
        }
        None => {
            main.return_value(result);
            main.complete();
        }
    }
    let mut program = builder.finish();
    mark_visible(&mut program);
    let main = program.main;
    for cut in cuts {
        program.templates[main].locations[cut].external = true;
    }
    program
}

/// Compares the encoded program with the interpreter for one choice of operands.
fn compare(operands: &[Bits], result: u32, compute: Compute) {
    let widths: Vec<u32> = operands.iter().map(|bits| bits.width).collect();
    let inputs: Vec<u128> = operands.iter().map(|bits| bits.value).collect();
    match interpreted(&program(&widths, &compute, None), &inputs) {
        Some(value) => {
            let value = Bits::new(result, value);
            assert!(
                violates(program(&widths, &compute, Some(value)), &inputs),
                "{value:?}"
            );
        }
        None => {
            // The run ends at a limit before the assertion.
            let any = Bits::new(result, 0);
            assert!(!violates(program(&widths, &compute, Some(any)), &inputs));
        }
    }
}

/// Values near the ends of their range, and others.
fn bits(width: u32) -> impl Strategy<Value = Bits> {
    prop_oneof![
        any::<u128>(),
        0u128..4,
        (0u128..4).prop_map(|small| u128::MAX - small),
        (0u128..3).prop_map(move |small| (1 << (width - 1)) - 1 + small),
    ]
    .prop_map(move |value| Bits::new(width, value))
}

fn width() -> impl Strategy<Value = u32> {
    select(vec![1, 7, 8, 16, 32, 33, 64, 128])
}

fn pair() -> impl Strategy<Value = [Bits; 2]> {
    width().prop_flat_map(|width| [bits(width), bits(width)])
}

/// An address within or behind the global.
fn address(main: &mut TemplateBuilder<'_>, memory: GlobalId, index: RegisterId) -> RegisterId {
    let indices = vec![(index.into(), 1)];
    main.assign(
        64,
        Operation::Offset {
            base: global(memory),
            constant: 0,
            indices,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn binary_operators(operator in select(BinaryOperator::ALL.to_vec()), [a, b] in pair()) {
        let compute: Compute = Box::new(move |main, operands, _| main.binary(operator, operands[0], operands[1]));
        compare(&[a, b], a.width, compute);
    }

    #[test]
    fn comparisons_and_selection(comparison in select(Comparison::ALL.to_vec()), [a, b] in pair()) {
        let width = a.width;
        let compute: Compute = Box::new(move |main, operands, _| {
            let holds = main.compare(comparison, operands[0], operands[1]);
            main.assign(width, Operation::Select(holds.into(), operands[1].into(), operands[0].into()))
        });
        compare(&[a, b], width, compute);
    }

    #[test]
    fn casts([a, _b] in pair(), to in width(), signed: bool) {
        let cast = match (to < a.width, signed) {
            (true, _) => Cast::Truncate,
            (false, true) => Cast::SignExtend,
            (false, false) => Cast::ZeroExtend,
        };
        let compute: Compute = Box::new(move |main, operands, _| main.assign(to, Operation::Cast(cast, operands[0].into())));
        compare(&[a], to, compute);
    }

    #[test]
    fn offsets(base in bits(64), [index, other] in pair(), constant: u64, scale: u64) {
        let compute: Compute = Box::new(move |main, operands, _| {
            let indices = vec![(operands[1].into(), scale), (operands[2].into(), 12)];
            main.assign(64, Operation::Offset { base: operands[0].into(), constant, indices })
        });
        compare(&[base, index, other], 64, compute);
    }

    #[test]
    fn atomic_updates(operator in select(UpdateOperator::ALL.to_vec()), [a, _b] in pair(), index in 0u128..16, old: bool) {
        let compute: Compute = Box::new(move |main, operands, memory| {
            let address = address(main, memory, operands[1]);
            let register = main.register(a.width);
            let operand = operands[0].into();
            main.statement(Statement::AtomicRmw { register, address: address.into(), operator, operand });
            if old { register } else { main.load(a.width, address) }
        });
        compare(&[a, Bits::new(8, index)], a.width, compute);
    }

    #[test]
    fn compare_exchange([expected, desired] in pair(), index in 0u128..16, hit: bool, what in 0..3) {
        let width = expected.width;
        let compute: Compute = Box::new(move |main, operands, memory| {
            let address = address(main, memory, operands[2]);
            if hit {
                main.store(operands[0], address);
            }
            let (register, success) = (main.register(width), main.register(1));
            let (expected, desired) = (operands[0].into(), operands[1].into());
            main.statement(Statement::CompareExchange { register, success, address: address.into(), expected, desired });
            match what {
                0 => main.assign(width.max(2), Operation::Cast(Cast::ZeroExtend, success.into())),
                1 => main.assign(width.max(2), Operation::Cast(Cast::ZeroExtend, register.into())),
                _ => {
                    let now = main.load(width, address);
                    main.assign(width.max(2), Operation::Cast(Cast::ZeroExtend, now.into()))
                }
            }
        });
        compare(&[expected, desired, Bits::new(8, index)], width.max(2), compute);
    }

    #[test]
    fn overlapping_accesses([value, _b] in pair(), store in 0u128..14, load in 0u128..14, to in width()) {
        let compute: Compute = Box::new(move |main, operands, memory| {
            let target = address(main, memory, operands[1]);
            main.store(operands[0], target);
            let source = address(main, memory, operands[2]);
            main.load(to, source)
        });
        compare(&[value, Bits::new(4, store), Bits::new(4, load)], to, compute);
    }

    #[test]
    fn exact_accesses([value, _b] in pair(), store in 0u32..14, load in 0u32..14, to in width()) {
        let compute: Compute = Box::new(move |main, operands, memory| {
            main.store(operands[0], Operand::Address(Place::Global(memory), store));
            main.load(to, Operand::Address(Place::Global(memory), load))
        });
        compare(&[value], to, compute);
    }

    #[test]
    fn numbers_of_variables(ends: [bool; 2], starts: [bool; 2], offset in 0u32..5, same: bool) {
        let compute: Compute = Box::new(move |main, _, _| {
            let variables = ["x", "y"].map(|name| main.local(name, 4));
            for (local, end) in variables.into_iter().zip(ends) {
                if end {
                    main.statement(Statement::LifetimeEnd { locals: vec![local] });
                }
            }
            for (local, start) in variables.into_iter().zip(starts) {
                if start {
                    main.statement(Statement::LifetimeStart { local });
                }
            }
            let [address, other] = variables.map(|local| Operand::Address(Place::Local(local), offset));
            let other = if same { address } else { other };
            let register = main.register(64);
            main.statement(Statement::Number { register, address, unless: Agreement::Distinct(other) });
            register
        });
        let (program, inputs) = (|expected| program(&[1], &compute, expected), [0, 0]);
        let number = interpreted(&program(None), &inputs).expect("no limit is met");
        assert!(violates(program(Some(Bits::new(64, number))), &inputs));
    }

    #[test]
    fn parallel_moves([a, b] in pair()) {
        let compute: Compute = Box::new(move |main, operands, _| {
            let moves = vec![(operands[0], operands[1].into()), (operands[1], operands[0].into())];
            main.statement(Statement::ParallelAssign(moves));
            main.binary(BinaryOperator::Subtract, operands[0], operands[1])
        });
        compare(&[a, b], a.width, compute);
    }
}
