//! Statements of random threads about what begins and ends: lives of variables and heap objects, threads and claims on them,
//! and numbers made of addresses.

use program::builder::{TemplateBuilder, constant, function, global, local};
use program::model::{Agreement, Comparison, LocalId, Operand, RegisterId, Statement};
use proptest::prelude::*;

use super::programs::{Shared, Statements};

/// A statement, or a few that belong together. A flag tells the first of two from the second, where there are two.
#[derive(Clone, Copy, Debug)]
pub(super) enum Life {
    /// Lets the shared pointer point to the thread's variable.
    Publish,
    /// Starts the life of the thread's variable, without content or with some.
    Start(Option<bool>),
    End,
    /// Writes the thread's variable.
    Write(bool),
    /// Reads it, and requires a value.
    Read(bool),
    /// Reads or writes through the shared pointer.
    Through(bool),
    /// Swaps through the shared pointer.
    SwapThrough,
    Allocate(bool),
    /// Frees what the shared pointer points to.
    Free,
    /// Detaches the thread whose handle was stored, or one whose handle was computed.
    Detach(Handle),
    /// Joins it; the result is dropped or stored.
    Join(Handle, bool),
    /// Requires that it has a number.
    Name(Handle, bool),
    /// Creates another thread, whose handle is stored later.
    CreateLate(bool),
    /// Compares what the shared pointer holds with another address, as numbers.
    Compare(Other, Means, bool),
}

/// Whose handle.
#[derive(Clone, Copy, Debug)]
pub(super) enum Handle {
    Stored(bool),
    Extra,
    Own,
    Computed(bool),
}

/// An address that a pointer is compared with.
#[derive(Clone, Copy, Debug)]
pub(super) enum Other {
    Variable,
    End,
    Own,
}

/// On what machines may agree.
#[derive(Clone, Copy, Debug)]
pub(super) enum Means {
    Never,
    SameObject,
    Distinct,
}

pub(super) fn life() -> impl Strategy<Value = Life> {
    let handle = || {
        prop_oneof![
            3 => any::<bool>().prop_map(Handle::Stored),
            1 => Just(Handle::Extra),
            1 => Just(Handle::Own),
            1 => any::<bool>().prop_map(Handle::Computed),
        ]
    };
    let other = prop_oneof![Just(Other::Variable), Just(Other::End), Just(Other::Own)];
    let means = prop_oneof![
        Just(Means::Never),
        Just(Means::SameObject),
        Just(Means::Distinct)
    ];
    prop_oneof![
        3 => Just(Life::Publish),
        1 => any::<Option<bool>>().prop_map(Life::Start),
        2 => Just(Life::End),
        1 => any::<bool>().prop_map(Life::Write),
        1 => any::<bool>().prop_map(Life::Read),
        3 => any::<bool>().prop_map(Life::Through),
        1 => Just(Life::SwapThrough),
        1 => any::<bool>().prop_map(Life::Allocate),
        1 => Just(Life::Free),
        2 => handle().prop_map(Life::Detach),
        2 => (handle(), any::<bool>()).prop_map(|(handle, stored)| Life::Join(handle, stored)),
        1 => (handle(), any::<bool>()).prop_map(|(handle, second)| Life::Name(handle, second)),
        1 => any::<bool>().prop_map(Life::CreateLate),
        1 => (other, means, any::<bool>()).prop_map(|(other, means, order)| Life::Compare(other, means, order)),
    ]
}

impl Life {
    pub(super) fn build(self, thread: &mut TemplateBuilder, shared: &Shared, own: LocalId) {
        match self {
            Self::Publish => thread.store(local(own), global(shared.pointer)),
            Self::Start(content) => {
                thread.statement(Statement::LifetimeStart { local: own });
                if let Some(content) = content {
                    thread.store(constant(32, content.into()), local(own));
                }
            }
            Self::End => {
                thread.statement(Statement::LifetimeEnd { locals: vec![own] });
            }
            Self::Write(value) => thread.store(constant(32, value.into()), local(own)),
            Self::Read(value) => {
                let found = thread.load(32, local(own));
                thread.require(found, value.into());
            }
            Self::Through(writes) => {
                let pointer = thread.pointer(shared);
                if writes {
                    thread.store(constant(32, 1), pointer);
                } else {
                    let found = thread.load(32, pointer);
                    thread.require(found, 0);
                }
            }
            Self::SwapThrough => {
                let address = thread.pointer(shared).into();
                let (register, success) = (thread.register(32), thread.register(1));
                thread.statement(Statement::CompareExchange {
                    register,
                    success,
                    address,
                    expected: constant(32, 0),
                    desired: constant(32, 1),
                });
            }
            Self::Allocate(zeroed) => {
                let address = thread.allocate(constant(64, 4), 4, zeroed);
                thread.store(address, global(shared.pointer));
            }
            Self::Free => {
                let address = thread.pointer(shared).into();
                thread.statement(Statement::Free {
                    address,
                    automatic: false,
                });
            }
            Self::Detach(handle) => {
                let handle = handle.build(thread, shared);
                thread.detach(handle);
            }
            Self::Join(handle, stored) => {
                let handle = handle.build(thread, shared);
                thread.join(handle, stored.then_some(global(shared.handles[2])));
            }
            Self::Name(handle, second) => {
                let handle = handle.build(thread, shared);
                let number = thread.number_of_thread(handle);
                thread.require(number, 2 + i128::from(second));
            }
            Self::CreateLate(sets) => {
                let (start, argument) = (function(shared.extra), global(shared.other_mutex));
                let register = thread.register(64);
                thread.statement(Statement::Create {
                    register,
                    start,
                    argument,
                });
                if sets {
                    thread.set(shared.x, 1);
                }
                thread.store(register, global(shared.handles[3]));
            }
            Self::Compare(other, means, order) => {
                compare(thread, shared, (other, means, order), own);
            }
        }
    }
}

impl Handle {
    fn build(self, thread: &mut TemplateBuilder, shared: &Shared) -> Operand {
        match self {
            Self::Stored(second) => thread
                .load(64, global(shared.handles[usize::from(second)]))
                .into(),
            Self::Extra => thread.load(64, global(shared.handles[3])).into(),
            Self::Own => {
                let register = thread.register(64);
                thread.statement(Statement::SelfHandle { register });
                register.into()
            }
            Self::Computed(second) => constant(64, 3 + i128::from(second)),
        }
    }
}

/// Requires that the pointer's number has, or has not, a relation to that of another address.
fn compare(
    thread: &mut TemplateBuilder,
    shared: &Shared,
    (other, means, order): (Other, Means, bool),
    own: LocalId,
) {
    let pointer = thread.pointer(shared).into();
    let other = match other {
        Other::Variable => global(shared.x),
        Other::End => thread.behind(global(shared.x), 4).into(),
        Other::Own => local(own),
    };
    let agreement = |with| match means {
        Means::Never => Agreement::Never,
        Means::SameObject => Agreement::SameObject(with),
        Means::Distinct => Agreement::Distinct(with),
    };
    let first = number(thread, pointer, agreement(other));
    let second = number(thread, other, agreement(pointer));
    let comparison = match order {
        true => Comparison::UnsignedLess,
        false => Comparison::NotEqual,
    };
    let holds = thread.compare(comparison, first, second);
    thread.assert(holds);
}

fn number(thread: &mut TemplateBuilder, address: Operand, unless: Agreement) -> RegisterId {
    let register = thread.register(64);
    thread.statement(Statement::Number {
        register,
        address,
        unless,
    });
    register
}
