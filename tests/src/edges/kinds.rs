//! The one table of the kinds of parts.

use super::part::Part;
use super::rules::Object::{
    Barrier, CheckedMutex, Condition, NormalMutex, ReadWriteLock, RecursiveMutex, Semaphore,
    SpinLock,
};
use super::walks::Flaw::{
    Destroyed, DestroyedHeld, FreeUnlocked, InitialisedHeld, Result, Uninitialised,
};
use super::walks::walk;
use super::{
    addresses, codes, content, handles, lifetimes, moved, objects, races, representations, symbols,
};
use crate::numbers::Numbers;

/// A way to draw a part of a program, broken or right.
pub struct EdgeKind {
    /// What it is about; each kind has its own name.
    pub name: &'static str,
    pub(super) draw: fn(&mut Numbers, bool) -> Part,
}

const fn kind(name: &'static str, draw: fn(&mut Numbers, bool) -> Part) -> EdgeKind {
    EdgeKind { name, draw }
}

/// How many kinds, the last ones, are mostly left to native runs.
pub const RACES: usize = 4;

/// Everything that a program may be about.
pub const KINDS: &[EdgeKind] = &[
    kind("lifetime: returned address of a local", lifetimes::returned),
    kind("lifetime: local after its block", lifetimes::block),
    kind("lifetime: local of an earlier round", lifetimes::round),
    kind(
        "lifetime: compound literal after its block",
        lifetimes::compound_literal,
    ),
    kind(
        "lifetime: variable that a jump passes over after its block",
        lifetimes::jumped_over,
    ),
    kind(
        "lifetime: returned structure",
        lifetimes::returned_structure,
    ),
    kind("lifetime: temporary after its block", lifetimes::temporary),
    kind(
        "lifetime: temporary after its expression",
        lifetimes::temporary_in_block,
    ),
    kind(
        "lifetime: compound literal of an earlier round",
        lifetimes::literal_of_round,
    ),
    kind(
        "lifetime: returned variable of an earlier round",
        lifetimes::returned_from_block,
    ),
    kind(
        "lifetime: array of variable length after its block",
        lifetimes::variable_length,
    ),
    kind(
        "lifetime: argument points into a returned caller",
        lifetimes::argument,
    ),
    kind(
        "lifetime: local of an ended thread",
        lifetimes::ended_thread,
    ),
    kind(
        "lifetime: thread-local of an ended thread",
        lifetimes::thread_local,
    ),
    kind(
        "lifetime: local of main after its end",
        lifetimes::main_returns,
    ),
    kind(
        "lifetime: addresses of dead locals compared",
        lifetimes::compared,
    ),
    kind("lifetime: freed memory", lifetimes::freed),
    kind("handle: read before it is stored", handles::stored),
    kind("handle: joined or detached twice", handles::claimed),
    kind("handle: joined by two threads", handles::two_joiners),
    kind("handle: thread joins itself", handles::joins_itself),
    kind("handle: used again", handles::used_again),
    kind("handle: computed with", handles::computed),
    kind("handle: stripe", handles::stripe),
    kind("handle: detached thread joined", handles::detached),
    kind("handle: unknown", handles::unknown),
    kind("address: stripe", addresses::stripe),
    kind("address: hash", addresses::hash),
    kind("address: truncated", addresses::truncated),
    kind("address: tag", addresses::tag),
    kind("address: order and difference", addresses::order),
    kind("address: one past the end", addresses::past_the_end),
    kind("address: string literals", addresses::literal),
    kind("address: empty object", addresses::empty),
    kind(
        "address: memory given out again",
        addresses::given_out_again,
    ),
    kind("address: byte of a pointer", addresses::byte),
    kind("address: bytes in memory", addresses::bytes),
    kind("address: other member of a union", addresses::member),
    kind("address: packed", addresses::packed),
    kind(
        "address: number beside an address",
        representations::number_beside_address,
    ),
    kind(
        "address: inside of what was freed",
        representations::inside_of_freed,
    ),
    kind("handle: argument", representations::handle_as_argument),
    kind("content of a lock", representations::content_of_lock),
    kind(
        "lifetime: result of a function",
        representations::result_in_place,
    ),
    kind("address: moved downwards", moved::downwards),
    kind("address: null that is moved", moved::absent),
    kind("address: moved far", moved::far),
    kind("address: moved far in steps", moved::in_steps),
    kind("address: constant", moved::constant),
    kind("address: symbol that need not be defined", symbols::weak),
    kind(
        "address: thread-local of two threads",
        symbols::thread_local,
    ),
    kind("content: bit-fields of fresh memory", content::bit_fields),
    kind("content: table of constants", content::constant_table),
    kind("address: locks in order", addresses::locks_in_order),
    kind("code: fixed by POSIX", codes::fixed),
    kind("code: left to the library", codes::checked),
    kind("code: errno", codes::error_number),
    kind(
        "code: key or attributes after their end",
        codes::used_after_end,
    ),
    kind("code: values of keys", codes::keys),
    kind("mutex: used before initialisation", |n, b| {
        walk(n, b, NormalMutex, Uninitialised)
    }),
    kind("mutex: used after destruction", |n, b| {
        walk(n, b, RecursiveMutex, Destroyed)
    }),
    kind("mutex: destroyed while held", |n, b| {
        walk(n, b, CheckedMutex, DestroyedHeld)
    }),
    kind("mutex: unlocked while free", |n, b| {
        walk(n, b, NormalMutex, FreeUnlocked)
    }),
    kind("mutex: initialised while held", |n, b| {
        walk(n, b, NormalMutex, InitialisedHeld)
    }),
    kind("mutex: result, recursive", |n, b| {
        walk(n, b, RecursiveMutex, Result)
    }),
    kind("mutex: result, error checking", |n, b| {
        walk(n, b, CheckedMutex, Result)
    }),
    kind("mutex: held by another thread", objects::held_by_another),
    kind("mutex: freed by the last owner", objects::last_owner),
    kind("read-write lock: used before initialisation", |n, b| {
        walk(n, b, ReadWriteLock, Uninitialised)
    }),
    kind("read-write lock: used after destruction", |n, b| {
        walk(n, b, ReadWriteLock, Destroyed)
    }),
    kind("read-write lock: destroyed while held", |n, b| {
        walk(n, b, ReadWriteLock, DestroyedHeld)
    }),
    kind("read-write lock: unlocked while free", |n, b| {
        walk(n, b, ReadWriteLock, FreeUnlocked)
    }),
    kind("read-write lock: initialised while held", |n, b| {
        walk(n, b, ReadWriteLock, InitialisedHeld)
    }),
    kind("read-write lock: result", |n, b| {
        walk(n, b, ReadWriteLock, Result)
    }),
    kind("spin lock: used before initialisation", |n, b| {
        walk(n, b, SpinLock, Uninitialised)
    }),
    kind("spin lock: used after destruction", |n, b| {
        walk(n, b, SpinLock, Destroyed)
    }),
    kind("spin lock: destroyed while held", |n, b| {
        walk(n, b, SpinLock, DestroyedHeld)
    }),
    kind("spin lock: unlocked while free", |n, b| {
        walk(n, b, SpinLock, FreeUnlocked)
    }),
    kind("spin lock: initialised while held", |n, b| {
        walk(n, b, SpinLock, InitialisedHeld)
    }),
    kind("spin lock: result", |n, b| walk(n, b, SpinLock, Result)),
    kind(
        "lock: destroyed while another thread holds it",
        objects::destroyed_while_held,
    ),
    kind(
        "lock: written over, copied or made again",
        objects::overwritten,
    ),
    kind("semaphore: used before initialisation", |n, b| {
        walk(n, b, Semaphore, Uninitialised)
    }),
    kind("semaphore: used after destruction", |n, b| {
        walk(n, b, Semaphore, Destroyed)
    }),
    kind("semaphore: result", |n, b| walk(n, b, Semaphore, Result)),
    kind(
        "semaphore: ended by who waits or posts",
        objects::semaphore_ends,
    ),
    kind("barrier: used before initialisation", |n, b| {
        walk(n, b, Barrier, Uninitialised)
    }),
    kind("barrier: used after destruction", |n, b| {
        walk(n, b, Barrier, Destroyed)
    }),
    kind(
        "barrier: ended after its wait or before",
        objects::barrier_ends,
    ),
    kind("condition variable: used after destruction", |n, b| {
        walk(n, b, Condition, Destroyed)
    }),
    kind(
        "condition variable: ended after its broadcast or before",
        objects::condition_ends,
    ),
    kind("once: two threads", objects::once),
    kind("race: for a local", races::local),
    kind("race: to join", races::claim),
    kind("race: for a lock", races::lock),
    kind("race: locals, heap, semaphore and mutex", races::mixed),
];
