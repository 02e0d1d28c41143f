//! Builds the program whose threads perform given actions.

use program::builder::{
    ProgramBuilder, TemplateBuilder, constant, function, global, local, name_threads,
};
use program::model::{
    BinaryOperator, Comparison, FunctionId, GlobalId, LocalId, LocationKind, MutexOperation,
    Operand, Operation, Place, Program, RegisterId, Statement, UpdateOperator,
};

use super::actions::{Action, Handle};

/// The shared variables: two bytes, an array of four bytes, a pointer, and a mutex.
#[derive(Clone, Copy)]
struct Shared {
    bytes: [GlobalId; 2],
    array: GlobalId,
    pointer: GlobalId,
    mutex: GlobalId,
    /// Of the workers, and of the thread that anybody may create.
    handles: [GlobalId; 3],
    extra: FunctionId,
}

impl Shared {
    fn byte(self, number: u8) -> Operand {
        match number {
            0 | 1 => global(self.bytes[usize::from(number)]),
            _ => Operand::Address(Place::Global(self.array), u32::from(number)),
        }
    }
}

/// What a thread has for itself: a variable, and the address of a byte that it was given.
#[derive(Clone, Copy)]
struct Own {
    variable: LocalId,
    given: Operand,
}

impl Handle {
    fn of(self, thread: &mut TemplateBuilder<'_>, shared: Shared) -> Operand {
        match self {
            Self::Stored(number) => {
                let handle = global(shared.handles[usize::from(number)]);
                thread.load(64, handle).into()
            }
            Self::Own => {
                let register = thread.register(64);
                thread.statement(Statement::SelfHandle { register });
                register.into()
            }
            Self::Computed(number) => constant(64, i128::from(number)),
        }
    }
}

fn run(thread: &mut TemplateBuilder<'_>, shared: Shared, actions: &[Action], own: Own) {
    for action in actions {
        perform(thread, shared, action, own);
    }
}

fn mask(thread: &mut TemplateBuilder<'_>, value: RegisterId) -> RegisterId {
    thread.binary(BinaryOperator::And, value, constant(8, 3))
}

fn compared(thread: &mut TemplateBuilder<'_>, shared: Shared, a: u8, b: u8) -> RegisterId {
    let value = thread.load(8, shared.byte(a));
    thread.compare(Comparison::UnsignedLess, value, constant(8, i128::from(b)))
}

fn perform(thread: &mut TemplateBuilder<'_>, shared: Shared, action: &Action, own: Own) {
    match action {
        Action::Add(a, b) => {
            let value = thread.load(8, shared.byte(*a));
            let sum = thread.binary(BinaryOperator::Add, value, constant(8, i128::from(*b)));
            let sum = mask(thread, sum);
            thread.store(sum, shared.byte(*a));
        }
        Action::Copy(a, b) => {
            let value = thread.load(8, shared.byte(*a));
            thread.store(value, shared.byte(*b));
        }
        Action::Update(a, b) => {
            let register = thread.register(8);
            let operand = constant(8, i128::from(*b));
            let address = shared.byte(*a);
            let operator = UpdateOperator::IncrementWrap;
            thread.statement(Statement::AtomicRmw {
                register,
                address,
                operator,
                operand,
            });
        }
        Action::CompareExchange(a, b, c) => {
            let (register, success) = (thread.register(8), thread.register(1));
            let (expected, desired) = (constant(8, i128::from(*b)), constant(8, i128::from(*c)));
            let address = shared.byte(*a);
            thread.statement(Statement::CompareExchange {
                register,
                success,
                address,
                expected,
                desired,
            });
            thread.assume(success);
        }
        Action::Point(a, b) => {
            let condition = compared(thread, shared, *a, *b);
            let target = Operation::Select(condition.into(), shared.byte(*a), shared.byte(*b));
            let target = thread.assign(64, target);
            thread.store(target, global(shared.pointer));
        }
        Action::StoreThrough(a, wide) => {
            let pointer = thread.load(64, global(shared.pointer));
            let value = thread.load(8, shared.byte(*a));
            if *wide == 0 {
                let value = thread.assign(
                    16,
                    Operation::Cast(program::model::Cast::ZeroExtend, value.into()),
                );
                thread.store(value, pointer);
            } else {
                thread.store(value, pointer);
            }
        }
        Action::LoadThrough(a, wide) => {
            let pointer = thread.load(64, global(shared.pointer));
            let value = thread.load(if *wide == 0 { 13 } else { 8 }, pointer);
            let value = if *wide == 0 {
                thread.assign(
                    8,
                    Operation::Cast(program::model::Cast::Truncate, value.into()),
                )
            } else {
                value
            };
            let value = mask(thread, value);
            thread.store(value, shared.byte(*a));
        }
        Action::Element(a, b) => {
            let index = thread.load(8, shared.byte(*a));
            let element = Operation::Offset {
                base: global(shared.array),
                constant: 0,
                indices: vec![(index.into(), u64::from(*b % 2) + 1)],
            };
            let element = thread.assign(64, element);
            let value = thread.load(8, element);
            let value = mask(thread, value);
            thread.store(value, shared.byte(*b));
        }
        Action::Lock(body) => {
            thread.mutex(MutexOperation::Lock, global(shared.mutex));
            run(thread, shared, body, own);
            thread.mutex(MutexOperation::Unlock, global(shared.mutex));
        }
        Action::TryLock(body) => {
            let code = thread.mutex(MutexOperation::TryLock, global(shared.mutex));
            let taken = thread.compare(Comparison::Equal, code, constant(32, 0));
            let (_, otherwise) = thread.branch(taken);
            run(thread, shared, body, own);
            thread.mutex(MutexOperation::Unlock, global(shared.mutex));
            thread.jump(otherwise);
        }
        Action::Atomic(body) => {
            thread.statement(Statement::AtomicBegin);
            run(thread, shared, body, own);
            thread.statement(Statement::AtomicEnd);
        }
        Action::If(a, b, yes, no) => {
            let condition = compared(thread, shared, *a, *b);
            let (_, otherwise) = thread.branch(condition);
            run(thread, shared, yes, own);
            let end = thread.location(LocationKind::Ordinary);
            thread.jump(end);
            thread.go_to(otherwise);
            run(thread, shared, no, own);
            thread.jump(end);
        }
        Action::While(a, b, body) => {
            let head = thread.location(LocationKind::Ordinary);
            thread.jump(head);
            let condition = compared(thread, shared, *a, *b);
            let (_, end) = thread.branch(condition);
            run(thread, shared, body, own);
            thread.jump(head);
            thread.go_to(end);
        }
        Action::Nondeterministic(a) => {
            let value = thread.havoc(2);
            let value = thread.assign(
                8,
                Operation::Cast(program::model::Cast::ZeroExtend, value.into()),
            );
            thread.store(value, shared.byte(*a));
        }
        Action::Assume(a, b) => {
            let condition = compared(thread, shared, *a, *b);
            thread.assume(condition);
        }
        Action::Assert(a, b) => {
            let value = thread.load(8, shared.byte(*a));
            let good = thread.compare(Comparison::NotEqual, value, constant(8, i128::from(*b)));
            thread.assert(good);
        }
        Action::Local(a, write) => {
            if *write {
                let value = thread.load(8, shared.byte(*a));
                thread.store(value, local(own.variable));
            } else {
                let value = thread.load(8, local(own.variable));
                let value = mask(thread, value);
                thread.store(value, shared.byte(*a));
            }
        }
        Action::Allocate(a, zeroed) => {
            let address = thread.allocate(constant(64, i128::from(*a % 2) + 1), 2, *zeroed);
            if !zeroed {
                thread.store(constant(8, 1), address);
            }
            thread.store(address, global(shared.pointer));
        }
        Action::Free(a) => {
            let condition = compared(thread, shared, *a, *a);
            let (_, otherwise) = thread.branch(condition);
            let pointer = thread.load(64, global(shared.pointer));
            thread.statement(Statement::Free {
                address: pointer.into(),
                automatic: false,
            });
            thread.jump(otherwise);
        }
        Action::StoreGiven(a) => thread.store(constant(8, i128::from(*a)), own.given),
        Action::CheckGiven(a) => {
            let value = thread.load(8, own.given);
            let good = thread.compare(Comparison::NotEqual, value, constant(8, i128::from(*a)));
            thread.assert(good);
        }
        Action::Publish => thread.store(local(own.variable), global(shared.pointer)),
        Action::EndLife => {
            let locals = vec![own.variable];
            thread.statement(Statement::LifetimeEnd { locals });
        }
        Action::StartLife(a) => {
            let variable = own.variable;
            thread.statement(Statement::LifetimeStart { local: variable });
            thread.store(constant(8, i128::from(*a)), local(variable));
        }
        Action::Detach(handle) => {
            let handle = handle.of(thread, shared);
            thread.detach(handle);
        }
        Action::Join(handle, stored) => {
            let handle = handle.of(thread, shared);
            thread.join(handle, stored.then_some(global(shared.handles[2])));
        }
        Action::Name(handle, a) => {
            let handle = handle.of(thread, shared);
            let number = thread.number_of_thread(handle);
            let low = Operation::Cast(program::model::Cast::Truncate, number.into());
            let low = thread.assign(8, low);
            thread.store(low, shared.byte(*a));
        }
        Action::Create(sets) => {
            let register = thread.register(64);
            let (start, argument) = (function(shared.extra), shared.byte(1));
            thread.statement(Statement::Create {
                register,
                start,
                argument,
            });
            if *sets {
                thread.store(constant(8, 2), shared.byte(0));
            }
            thread.store(register, global(shared.handles[2]));
        }
        Action::Stop(halt) => {
            let (_, otherwise) = {
                let condition = compared(thread, shared, 0, 2);
                thread.branch(condition)
            };
            let kind = if *halt {
                LocationKind::Halted
            } else {
                LocationKind::Blocked
            };
            let sink = thread.location(kind);
            thread.edge(sink, Statement::Skip);
            thread.go_to(otherwise);
        }
    }
}

fn worker(builder: &mut ProgramBuilder, entry: FunctionId, shared: Shared, actions: &[Action]) {
    let mut thread = builder.thread(entry);
    let variable = thread.local("own", 1);
    thread.store(constant(8, 2), local(variable));
    let given = thread.parameter().into();
    run(&mut thread, shared, actions, Own { variable, given });
    thread.finish();
}

/// The program of these workers, of what main does at last, and of what a thread does that actions create.
pub fn build(
    workers: &[Vec<Action>],
    (last, extra): (&[Action], &[Action]),
    kind: u8,
    join: bool,
) -> Program {
    let mut builder = ProgramBuilder::new("random");
    let mut mutex = [0; 20];
    mutex[16] = kind;
    let shared = Shared {
        bytes: [builder.global("a", &[0]), builder.global("b", &[1])],
        array: builder.global("array", &[0, 1, 2, 3]),
        pointer: builder.global("pointer", &[0; 8]),
        mutex: builder.global("mutex", &mutex),
        handles: [0, 1, 2].map(|number| builder.global(&format!("handle{number}"), &[0; 8])),
        extra: builder.function("extra"),
    };
    builder.relocation(shared.pointer, 0, Place::Global(shared.array), 1);
    let mut functions = Vec::new();
    for (number, actions) in workers.iter().enumerate() {
        let entry = builder.function(&format!("worker{number}"));
        worker(&mut builder, entry, shared, actions);
        functions.push(entry);
    }
    worker(&mut builder, shared.extra, shared, extra);
    let mut main = builder.main();
    let variable = main.local("own", 1);
    main.store(constant(8, 2), local(variable));
    let picked = main.havoc(1);
    let given = Operation::Select(picked.into(), shared.byte(0), shared.byte(2));
    let given = main.assign(64, given).into();
    let own = Own { variable, given };
    let handles = shared.handles.into_iter().take(functions.len());
    for (&handle, &entry) in shared.handles.iter().zip(&functions) {
        main.create(global(handle), function(entry), given);
    }
    for handle in handles.filter(|_| join) {
        let handle = main.load(64, global(handle));
        main.join(handle, None);
    }
    run(&mut main, shared, last, own);
    main.finish();
    let mut program = builder.finish();
    name_threads(&mut program);
    program
}
