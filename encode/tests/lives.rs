//! Hand-written programs about lifetimes, freed memory and handles: the encoded system and the interpreter reach the same errors.

use crate::common::{Encoded, agrees, encoded, mark_visible, reduced, search};
use abi::ids::InstanceId;
use explicit::interpret::{Interpreter, NondeterministicChoice, Oracle, StepResult};
use frontend::testing::in_parallel;
use instrument::Reduction;
use program::builder::{ProgramBuilder, constant, function, global, local};
use program::model::{Agreement, Comparison, Operand, Program, Statement};

/// The encoded program reaches what the interpreter reaches, under every reduction.
fn agrees_reduced(program: &Program) {
    for reduction in Reduction::ALL {
        assert!(agrees(&reduced(program.clone(), reduction), 3000));
    }
}

#[test]
fn dead_locals_are_as_in_the_interpreter() {
    let all = (0..8).map(|bits| (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0));
    in_parallel(all, |(end, start, wait)| {
        let mut builder = ProgramBuilder::new("lifetimes");
        let worker = builder.function("worker");
        let mut thread = builder.thread(worker);
        let argument = thread.parameter();
        thread.store(constant(8, 1), argument);
        thread.finish();
        let mut main = builder.main();
        let variable = main.local("x", 1);
        let handle = local(main.local("handle", 8));
        main.create(handle, function(worker), local(variable));
        if wait {
            let handle = main.load(64, handle);
            main.join(handle, None);
        }
        if end {
            let locals = vec![variable];
            main.statement(Statement::LifetimeEnd { locals });
        }
        if start {
            main.statement(Statement::LifetimeStart { local: variable });
        }
        let value = main.load(8, local(variable));
        let good = main.compare(Comparison::UnsignedLess, value, constant(8, 9));
        main.assert(good);
        main.finish();
        agrees_reduced(&builder.finish());
    });
}

#[test]
fn comparing_addresses_of_dead_variables_is_as_in_the_interpreter() {
    for (end, start, wait, own) in
        (0..16).map(|bits| (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0, bits & 8 != 0))
    {
        let mut builder = ProgramBuilder::new("compared");
        let left = builder.global("left", &[0; 8]);
        let worker = builder.function("worker");
        let mut thread = builder.thread(worker);
        let variable = thread.local("x", 1);
        thread.store(local(variable), global(left));
        if end {
            let locals = vec![variable];
            thread.statement(Statement::LifetimeEnd { locals });
        }
        if start {
            thread.statement(Statement::LifetimeStart { local: variable });
        }
        thread.finish();
        let mut main = builder.main();
        let handle = local(main.local("handle", 8));
        let variable = main.local("y", 1);
        main.create(handle, function(worker), constant(64, 0));
        if wait {
            let handle = main.load(64, handle);
            main.join(handle, None);
        }
        if own {
            main.store(local(variable), global(left));
        }
        let (register, success) = (main.register(64), main.register(1));
        main.statement(Statement::CompareExchange {
            register,
            success,
            address: global(left),
            expected: local(variable),
            desired: constant(64, 0),
        });
        let good = main.compare(Comparison::Equal, success, constant(1, 0));
        main.assert(good);
        main.finish();
        agrees_reduced(&builder.finish());
    }
}

#[test]
fn memory_of_the_stack_is_as_in_the_interpreter() {
    for bits in 0..16 {
        let [ends, frees, uses_after, is_stack] = [1, 2, 4, 8].map(|bit| bits & bit != 0);
        let mut builder = ProgramBuilder::new("stack");
        let worker = builder.function("worker");
        let mut thread = builder.thread(worker);
        let argument = thread.parameter();
        thread.store(constant(8, 1), argument);
        thread.finish();
        let mut main = builder.main();
        let handle = local(main.local("handle", 8));
        let taken = main.allocate(constant(64, 1), 1, true);
        main.create(handle, function(worker), taken);
        if ends {
            let address = taken.into();
            main.statement(Statement::Free {
                address,
                automatic: true,
            });
        }
        if frees {
            let address = taken.into();
            main.statement(Statement::Free {
                address,
                automatic: false,
            });
        }
        if uses_after {
            let value = main.load(8, taken);
            let good = main.compare(Comparison::UnsignedLess, value, constant(8, 1));
            main.assert(good);
        }
        main.finish();
        let mut program = builder.finish();
        for site in program.heap_sites.values_mut() {
            site.automatic = is_stack;
        }
        agrees_reduced(&program);
    }
}

#[test]
fn claims_are_as_in_the_interpreter() {
    for (by_main, by_itself) in [(0, false), (1, false), (2, false), (0, true), (1, true)] {
        let mut builder = ProgramBuilder::new("claims");
        let worker = builder.function("worker");
        let mut thread = builder.thread(worker);
        let own = thread.register(64);
        thread.statement(Statement::SelfHandle { register: own });
        if by_itself {
            thread.detach(own);
        } else {
            thread.join(own, None);
        }
        thread.finish();
        let mut main = builder.main();
        let handle = local(main.local("handle", 8));
        main.create(handle, function(worker), constant(64, 0));
        for _ in 0..by_main {
            let handle = main.load(64, handle);
            main.join(handle, None);
        }
        main.finish();
        agrees_reduced(&builder.finish());
    }
}

/// What happens to the handle of the first thread before the second one is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    None,
    Join,
    Detach,
}

/// Main creates two threads, of one template or two, and asserts that two of the three handles are different numbers.
fn compared_handles(same: bool, claim: Claim, sides: [usize; 2], unless: bool) -> Program {
    let mut builder = ProgramBuilder::new("handles");
    let handles = [0; 2].map(|byte| builder.global("handle", &[byte; 8]));
    let workers = ["first", "second"].map(|name| builder.function(name));
    for worker in workers {
        builder.thread(worker).finish();
    }
    let mut main = builder.main();
    let own = main.register(64);
    main.statement(Statement::SelfHandle { register: own });
    let mut known = vec![own];
    for (handle, worker) in handles.into_iter().zip([0, usize::from(!same)]) {
        main.create(global(handle), function(workers[worker]), constant(64, 0));
        let created = main.load(64, global(handle));
        if known.len() == 1 {
            match claim {
                Claim::None => {}
                Claim::Join => main.join(created, None),
                Claim::Detach => main.detach(created),
            }
        }
        known.push(created);
    }
    let [left, right] = sides.map(|side| Operand::from(known[side]));
    let [left, right] = [(left, right), (right, left)].map(|(address, other)| {
        let register = main.register(64);
        let unless = if unless {
            Agreement::Distinct(other)
        } else {
            Agreement::Never
        };
        main.statement(Statement::Number {
            register,
            address,
            unless,
        });
        register
    });
    let different = main.compare(Comparison::NotEqual, left, right);
    main.assert(different);
    main.finish();
    let mut program = builder.finish();
    mark_visible(&mut program);
    program
}

/// Whatever is arbitrary has this value, which gives all handles the same number.
const ARBITRARY: u128 = 0x1234_5678;

struct Constant;

impl Oracle for Constant {
    fn choose(&mut self, _: &NondeterministicChoice<'_>) -> u128 {
        ARBITRARY
    }
}

/// Whether the program reaches its error by some schedule.
fn fails(encoded: &Encoded) -> bool {
    let interpreter = Interpreter::new(&encoded.program, &encoded.instances);
    let mut states = vec![interpreter.initial()];
    let mut next = 0;
    while let Some(state) = states.get(next).cloned() {
        next += 1;
        for instance in encoded.instances.threads.keys() {
            if let StepResult::Executed { state, .. } =
                interpreter.step(&state, instance, &mut Constant)
                && !states.contains(&state)
            {
                states.push(state);
            }
        }
    }
    let mut ends = states.iter();
    ends.any(|state| interpreter.kind(state, InstanceId::MAIN).is_error())
}

/// The same of the encoded program.
fn fails_encoded(mut encoded: Encoded) -> bool {
    let system = &mut encoded.encoding.system;
    for variable in &mut system.state {
        if variable.initial.is_none() {
            let width = system.terms.width(variable.current);
            variable.initial = Some(system.terms.bits(width, ARBITRARY));
        }
    }
    let found = search(system, 100_000).expect("a small system");
    found.contains_key(&0)
}

#[test]
fn numbers_of_handles_are_as_in_the_interpreter() {
    let pairs = [[0, 1], [0, 2], [1, 2], [2, 1], [2, 2]];
    let claims = [Claim::None, Claim::Join, Claim::Detach];
    for (same, unless) in [(false, true), (true, true), (false, false), (true, false)] {
        for (claim, sides) in claims
            .into_iter()
            .flat_map(|claim| pairs.map(|pair| (claim, pair)))
        {
            let [left, right] = sides;
            let first_is_over = claim != Claim::None && left + right == 3;
            let expected = left == right || !unless || first_is_over;
            let encoded = encoded(compared_handles(same, claim, sides, unless));
            let what = (same, claim, sides, unless);
            assert_eq!(fails(&encoded), expected, "{what:?}");
            assert_eq!(fails_encoded(encoded), expected, "{what:?}");
        }
    }
}
