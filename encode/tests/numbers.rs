//! Numbers of addresses against the reference interpreter, for every agreement: what machines agree on stays an address, and
//! everything else depends on where objects lie. Every object lies somewhere else here, at a place that follows from its name.

use crate::common::{encoded, mark_visible};
use explicit::interpret::{Interpreter, NondeterministicChoice, Oracle, StepResult};
use program::builder::{ProgramBuilder, TemplateBuilder, constant, function, global, local};
use program::model::{
    Agreement, BinaryOperator, Cast, Comparison, FunctionId, GlobalId, Instances, LocalId, Operand,
    Operation, Place, Program, RegisterId, Statement, Words,
};
use program::names::Names;
use program::points_to::Offsets;
use program::threads::{Bounds, instantiate};
use proptest::prelude::*;
use proptest::sample::select;
use rustc_hash::FxHashMap;
use system::eval::Evaluator;
use system::term::Value;

/// What an address is made from.
#[derive(Clone, Copy, Debug)]
enum Origin {
    /// A variable of 8 bytes.
    Variable,
    /// Two constants with equal content of 8 bytes, the first of which need not have a place of its own.
    Literal,
    Constant,
    /// A variable without bytes.
    Empty,
    Function,
    /// A local of 8 bytes.
    Local,
    /// A heap object of 8 bytes and one of none.
    Heap,
    EmptyHeap,
    /// Nothing: a number.
    Null,
}

const ORIGINS: [Origin; 9] = [
    Origin::Variable,
    Origin::Literal,
    Origin::Constant,
    Origin::Empty,
    Origin::Function,
    Origin::Local,
    Origin::Heap,
    Origin::EmptyHeap,
    Origin::Null,
];

/// What has become of the local and of the heap objects before.
#[derive(Clone, Copy, Debug)]
struct Ends {
    local: bool,
    heap: bool,
    /// Whether something could access the local after its end, so that its life is part of the state.
    accessed: bool,
}

/// An address: one of two, at a distance.
#[derive(Clone, Copy, Debug)]
struct Address {
    origins: [Origin; 2],
    second: bool,
    distance: i64,
}

#[derive(Clone, Copy, Debug)]
enum Means {
    Never,
    SameObject,
    Distinct,
    Small,
    Near,
    /// So many bytes from here on of memory that holds two addresses side by side.
    Read(u32, u32),
    /// The two addresses where so many bytes from here on are written over.
    Written(u32, u32),
}

/// What memory holds by the name of its object. What was allocated in slots that are used again lies in one place.
fn arbitrary(name: &str) -> u128 {
    let name = name.rsplit('&').next().unwrap_or_default();
    let name = name.split(['@', '#']).next().unwrap_or_default();
    let name = name.rsplit('.').next().unwrap_or_default();
    let sum = name.bytes().fold(7u128, |sum, byte| {
        (sum * 31 + u128::from(byte)) % 0x7fff_ffff
    });
    sum << 4 | sum << 20
}

struct Places {
    variable: GlobalId,
    literal: GlobalId,
    constant: GlobalId,
    empty: GlobalId,
    function: FunctionId,
    local: LocalId,
    heap: [RegisterId; 2],
}

impl Places {
    fn base(&self, origin: Origin) -> Operand {
        match origin {
            Origin::Variable => global(self.variable),
            Origin::Literal => global(self.literal),
            Origin::Constant => global(self.constant),
            Origin::Empty => global(self.empty),
            Origin::Function => function(self.function),
            Origin::Local => local(self.local),
            Origin::Heap => self.heap[0].into(),
            Origin::EmptyHeap => self.heap[1].into(),
            Origin::Null => constant(64, 0),
        }
    }

    /// The address, chosen by an operand.
    fn address(
        &self,
        main: &mut TemplateBuilder<'_>,
        address: Address,
        second: RegisterId,
    ) -> Operand {
        let [first, last] = address.origins.map(|origin| self.base(origin));
        let base = main.assign(64, Operation::Select(second.into(), last, first));
        let offset = Operation::Offset {
            base: base.into(),
            constant: address.distance as u64,
            indices: Vec::new(),
        };
        main.assign(64, offset).into()
    }
}

/// The size of what holds two addresses, and where these begin. None is aligned.
const PACKED: usize = 20;
const STARTS: [u32; 2] = [3, 11];

/// Stores two addresses, and loads or stores a part of them; what was loaded, or what memory holds then.
fn part(
    main: &mut TemplateBuilder<'_>,
    packed: GlobalId,
    addresses: [Operand; 2],
    means: Means,
) -> Option<RegisterId> {
    let words = Words::from_iter(STARTS.map(Offsets::Exact));
    let place = |at| Operand::Address(Place::Global(packed), at);
    let atomic = false;
    let store_both = |main: &mut TemplateBuilder<'_>| {
        for (address, start) in addresses.into_iter().zip(STARTS) {
            main.store(address, place(start));
        }
    };
    match means {
        Means::Read(at, size) => {
            store_both(main);
            let register = main.register(8 * size);
            main.statement(Statement::Load {
                register,
                address: place(at),
                atomic,
                words,
            });
            Some(main.assign(64, Operation::Cast(Cast::ZeroExtend, register.into())))
        }
        Means::Written(at, size) => {
            store_both(main);
            main.statement(Statement::Store {
                value: constant(8 * size, 0x5a),
                address: place(at),
                atomic,
                words,
            });
            let [first, second] = STARTS.map(|start| main.load(64, place(start)));
            let both = Operation::Binary(BinaryOperator::Xor, first.into(), second.into());
            Some(main.assign(64, both))
        }
        Means::Never | Means::SameObject | Means::Distinct | Means::Small | Means::Near => None,
    }
}

/// A program that chooses three operands, ends lives, makes a number of the first address in view of another value, and
/// asserts that it is not `expected` if that is given.
fn program(
    [address, other]: [Address; 2],
    means: Means,
    ends: Ends,
    expected: Option<u128>,
) -> Program {
    let mut builder = ProgramBuilder::new("numbers");
    let variable = builder.global("variable", &[0; 8]);
    let literal = builder.constant("literal", &[1; 8]);
    let constants = builder.constant("constant", &[1; 8]);
    let empty = builder.global("empty", &[]);
    let packed = builder.global("packed", &[0x5a; PACKED]);
    let function = builder.function("function");
    builder.thread(function).finish();
    let mut main = builder.main();
    let mut cuts = Vec::new();
    let [first, second, number] = [1, 1, 64].map(|width| {
        let operand = main.havoc(width);
        cuts.push(main.here());
        operand
    });
    let own = main.local("own", 8);
    let heap = [8, 0].map(|size| main.allocate(constant(64, size), 8, true));
    let places = Places {
        variable,
        literal,
        constant: constants,
        empty,
        function,
        local: own,
        heap,
    };
    if ends.heap {
        for slot in heap {
            let address = slot.into();
            main.statement(Statement::Free {
                address,
                automatic: false,
            });
        }
    }
    if ends.local {
        main.statement(Statement::LifetimeEnd { locals: vec![own] });
    }
    if ends.accessed {
        let never = main.compare(Comparison::Equal, number, constant(64, 0x1234_5678));
        let (_, otherwise) = main.branch(never);
        main.store(constant(8, 0), local(own));
        main.jump(otherwise);
    }
    let address = places.address(&mut main, address, first);
    let other = places.address(&mut main, other, second);
    let unless = match means {
        Means::Never | Means::Read(..) | Means::Written(..) => Agreement::Never,
        Means::SameObject => Agreement::SameObject(other),
        Means::Distinct => Agreement::Distinct(other),
        Means::Small => Agreement::Small(number.into()),
        Means::Near => Agreement::Near(number.into()),
    };
    let part = part(&mut main, packed, [address, other], means);
    let register = part.unwrap_or_else(|| {
        let register = main.register(64);
        main.statement(Statement::Number {
            register,
            address,
            unless,
        });
        register
    });
    match expected {
        Some(value) => {
            let value = constant(64, value as i128);
            let different = main.compare(Comparison::NotEqual, register, value);
            main.assert(different);
            main.finish();
        }
        None => {
            main.return_value(register);
            main.complete();
        }
    }
    let mut program = builder.finish();
    program.globals[literal].mergeable = true;
    mark_visible(&mut program);
    let main = program.main;
    for cut in cuts {
        program.templates[main].locations[cut].external = true;
    }
    program
}

/// Answers with the operands, in order, and with what memory holds at first.
struct Script<'a> {
    names: Names<'a>,
    operands: std::array::IntoIter<u128, 3>,
}

impl Oracle for Script<'_> {
    fn choose(&mut self, choice: &NondeterministicChoice<'_>) -> u128 {
        match choice {
            NondeterministicChoice::Havoc { .. } => self.operands.next().expect("there are three"),
            NondeterministicChoice::Content { object, .. } => {
                arbitrary(&self.names.object(*object))
            }
            NondeterministicChoice::Slot { slots, .. } => slots[0].as_u32().into(),
            NondeterministicChoice::Result { .. } => 0,
        }
    }
}

/// The number according to the interpreter.
fn interpreted(program: &Program, operands: [u128; 3]) -> u128 {
    let instances: Instances = instantiate(program, &Bounds::default());
    let interpreter = Interpreter::new(program, &instances);
    let names = Names::new(program, &instances);
    let operands = operands.into_iter();
    let mut script = Script { names, operands };
    let mut state = interpreter.initial();
    let mut result = None;
    while let StepResult::Executed {
        state: next,
        executed,
        ..
    } = interpreter.step(&state, instances.main(), &mut script)
    {
        let edge = &program.templates[program.main].edges[executed.edge];
        if let Statement::Return {
            value: Some(Operand::Register(register)),
        } = edge.statement
        {
            result = Some(state.register(instances.main(), register));
        }
        state = next;
    }
    result.expect("nothing is undefined")
}

/// Whether the run of the encoded program with these operands violates its assertion.
fn violates(program: Program, operands: [u128; 3]) -> bool {
    let encoded = encoded(program);
    let system = &encoded.encoding.system;
    let terms = &system.terms;
    let first = |v: &system::transition_system::StateVariable| match v.initial {
        Some(initial) => terms.as_value(initial).expect("a constant"),
        None => Value::truncated(
            terms.width(v.current),
            arbitrary(terms.symbol_name(v.current).expect("a symbol")),
        ),
    };
    let mut state: FxHashMap<_, _> = system.state.iter().map(|v| (v.current, first(v))).collect();
    // Each block takes one value. Behind those that the program chooses come the slots of the allocations.
    let mut chosen = operands.into_iter().chain([0, 1]);
    let mut block = 0;
    loop {
        let mut symbols = state.clone();
        let next = chosen.next().unwrap_or_default();
        for &input in &system.inputs {
            let place = block >= operands.len() && terms.width(input) == 64;
            let value = if place { arbitrary("heap0") } else { next };
            symbols.insert(input, Value::truncated(terms.width(input), value));
        }
        block += 1;
        let mut evaluator = Evaluator::new(symbols);
        if evaluator.value(terms, system.properties[0].bad).is_true() {
            return true;
        }
        if !evaluator.value(terms, system.guard).is_true() {
            return false;
        }
        let variables = system.state.iter();
        let next = variables.map(|v| {
            (
                v.current,
                evaluator.value(terms, v.next.expect("functional")),
            )
        });
        state = next.collect();
    }
}

fn address() -> impl Strategy<Value = Address> {
    let origin = || select(ORIGINS.to_vec());
    let distance = select(vec![
        0,
        0,
        0,
        1,
        7,
        8,
        9,
        -1,
        4095,
        (1 << 30) - 1,
        -(1 << 30),
    ]);
    (origin(), origin(), any::<bool>(), distance).prop_map(|(first, last, second, distance)| {
        Address {
            origins: [first, last],
            second,
            distance,
        }
    })
}

fn means() -> impl Strategy<Value = Means> {
    let numbers = [
        Means::Never,
        Means::SameObject,
        Means::Distinct,
        Means::Distinct,
        Means::Small,
        Means::Near,
    ];
    let part = (1u32..=8).prop_flat_map(|size| (0..=PACKED as u32 - size, Just(size)));
    prop_oneof![
        select(numbers.to_vec()),
        part.clone().prop_map(|(at, size)| Means::Read(at, size)),
        part.prop_map(|(at, size)| Means::Written(at, size)),
    ]
}

fn cases() -> u32 {
    let given = std::env::var("ENCODE_CASES").ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(600)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn numbers(
        first in address(),
        other in address(),
        means in means(),
        [local, heap, accessed] in any::<[bool; 3]>(),
        number in select(vec![0, 1, 4095, 4096, 4097, u64::MAX - 4095, u64::MAX - 4096, 1 << 30, (1 << 30) - 1, u64::MAX - (1 << 30)]),
    ) {
        let ends = Ends { local, heap, accessed };
        let operands = [first.second.into(), other.second.into(), number.into()];
        let addresses = [first, other];
        let value = interpreted(&program(addresses, means, ends, None), operands);
        prop_assert!(violates(program(addresses, means, ends, Some(value)), operands), "{value:#x}");
    }
}
