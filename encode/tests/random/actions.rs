//! The actions of the threads of a random program, and the strategies that draw them.

use proptest::prelude::*;

/// A statement of a random thread; numbers select variables and constants.
#[derive(Clone, Debug)]
pub enum Action {
    Add(u8, u8),
    Copy(u8, u8),
    Update(u8, u8),
    CompareExchange(u8, u8, u8),
    Point(u8, u8),
    StoreThrough(u8, u8),
    LoadThrough(u8, u8),
    Element(u8, u8),
    Lock(Vec<Action>),
    TryLock(Vec<Action>),
    Atomic(Vec<Action>),
    If(u8, u8, Vec<Action>, Vec<Action>),
    While(u8, u8, Vec<Action>),
    Nondeterministic(u8),
    Assume(u8, u8),
    Assert(u8, u8),
    Local(u8, bool),
    Allocate(u8, bool),
    Free(u8),
    Stop(bool),
    StoreGiven(u8),
    CheckGiven(u8),
    Publish,
    EndLife,
    StartLife(u8),
    Detach(Handle),
    Join(Handle, bool),
    Name(Handle, u8),
    Create(bool),
}

/// Whose handle.
#[derive(Clone, Copy, Debug)]
pub enum Handle {
    Stored(u8),
    Own,
    Computed(u8),
}

/// What begins and ends.
pub fn life() -> impl Strategy<Value = Action> {
    use Action::*;
    let n = || 0u8..4;
    let handle = || {
        prop_oneof![
            4 => (0u8..3).prop_map(Handle::Stored),
            1 => Just(Handle::Own),
            1 => n().prop_map(Handle::Computed),
        ]
    };
    prop_oneof![
        2 => Just(Publish),
        2 => Just(EndLife),
        1 => n().prop_map(StartLife),
        2 => handle().prop_map(Detach),
        2 => (handle(), any::<bool>()).prop_map(|(handle, stored)| Join(handle, stored)),
        1 => (handle(), n()).prop_map(|(handle, a)| Name(handle, a)),
        1 => any::<bool>().prop_map(Create),
        2 => (n(), Just(1)).prop_map(|(a, b)| StoreThrough(a, b)),
        2 => (n(), Just(1)).prop_map(|(a, b)| LoadThrough(a, b)),
        1 => (n(), any::<bool>()).prop_map(|(a, b)| Local(a, b)),
        1 => (n(), n()).prop_map(|(a, b)| Assert(a, b)),
    ]
}

pub fn action() -> impl Strategy<Value = Action> {
    use Action::*;
    let n = || 0u8..4;
    let leaf = prop_oneof![
        3 => (n(), n()).prop_map(|(a, b)| Add(a, b)),
        3 => (n(), n()).prop_map(|(a, b)| Copy(a, b)),
        1 => (n(), n()).prop_map(|(a, b)| Update(a, b)),
        1 => (n(), n(), n()).prop_map(|(a, b, c)| CompareExchange(a, b, c)),
        2 => (n(), n()).prop_map(|(a, b)| Point(a, b)),
        2 => (n(), n()).prop_map(|(a, b)| StoreThrough(a, b)),
        2 => (n(), n()).prop_map(|(a, b)| LoadThrough(a, b)),
        2 => (n(), n()).prop_map(|(a, b)| Element(a, b)),
        1 => n().prop_map(Nondeterministic),
        1 => (n(), n()).prop_map(|(a, b)| Assume(a, b)),
        3 => (n(), n()).prop_map(|(a, b)| Assert(a, b)),
        1 => (n(), any::<bool>()).prop_map(|(a, b)| Local(a, b)),
        1 => (n(), any::<bool>()).prop_map(|(a, b)| Allocate(a, b)),
        1 => n().prop_map(Free),
        1 => any::<bool>().prop_map(Stop),
        2 => n().prop_map(StoreGiven),
        2 => n().prop_map(CheckGiven),
    ];
    leaf.prop_recursive(2, 8, 3, move |inner| {
        let body = || prop::collection::vec(inner.clone(), 0..3);
        prop_oneof![
            body().prop_map(Lock),
            body().prop_map(TryLock),
            body().prop_map(Atomic),
            (n(), n(), body(), body()).prop_map(|(a, b, c, d)| If(a, b, c, d)),
            (n(), n(), body()).prop_map(|(a, b, c)| While(a, b, c)),
        ]
    })
}
