//! Random programs of two threads that load, store and compute addresses.

use program::builder::{ProgramBuilder, TemplateBuilder, constant, function, global, local};
use program::layout::convert;
use program::model::{
    BinaryOperator, Cast, GlobalId, LocalId, Operand, Operation, Place, Program, RegisterId,
    Statement, UpdateOperator,
};
use proptest::prelude::*;

/// A statement over a pool of 64-bit registers and small variables.
#[derive(Clone, Debug)]
pub enum Action {
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

pub fn action() -> impl Strategy<Value = Action> {
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
pub fn program_of(main_actions: &[Action], thread_actions: &[Action]) -> Program {
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
