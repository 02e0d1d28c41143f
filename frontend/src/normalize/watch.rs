//! Writes of the program to locks that are in use. The library watches one lock, as `watch.c` says, and a guard at each such write
//! tests whether it hits this lock. [`crate::overwritten`] finds the writes in a module that is normalised already.

use abi::functions::{Effect, effect, with_effect};
use inkwell::values::InstructionOpcode;
use rustc_hash::FxHashSet;

use super::addresses::{base, constant_offset};
use super::calls::END_THREAD;
use super::flow::Flow;
use super::knowledge;
use super::lifetime_marks::{lifetime_mark, starts_of_life};
use super::lock_accesses::{LockOperation, role};
use super::memory_objects::{comes_to_life, is_defined_variable};
use super::metadata_kinds::LOOK_METADATA;
use super::requirement::require_of_lock;
use crate::llvm::{Builder, Module, Value};

/// What is watched in a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Watch {
    /// Locks that are in use.
    pub in_use: bool,
    /// Those that were copied while they were.
    pub copies: bool,
    /// Threads that wait for good.
    pub waits: bool,
}

/// What a write to a lock asks of the watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Guard {
    /// Byte offset of the word that names the lock from where the write starts.
    pub offset: u64,
    /// Whether the lock must not be in use.
    pub in_use: bool,
    /// Whether what is written may be the state of a lock that is in use.
    pub copies: bool,
}

/// The operations that the checker knows itself, and the functions that stand for them where locks are watched.
const WATCHED: [(Effect, &str); 5] = [
    (Effect::Free, "__mazurka_free"),
    (Effect::MutexLock, "__mazurka_mutex_lock"),
    (Effect::MutexTryLock, "__mazurka_mutex_trylock"),
    (Effect::MutexUnlock, "__mazurka_mutex_unlock"),
    (Effect::ThreadJoin, "__mazurka_join"),
];

impl Watch {
    /// The function that stands for a function where locks are watched.
    fn stand_in(self, function: Value) -> Option<&'static str> {
        let effect = effect(&function.name()).filter(|_| function.is_declaration())?;
        // Only copies matter where memory ends: a lock that is freed while it is in use stays so.
        let is_watched = if effect == Effect::Free {
            self.copies
        } else if effect == Effect::ThreadJoin {
            self.waits
        } else {
            self.in_use || self.waits
        };
        let mut watched = WATCHED.into_iter().filter(|_| is_watched);
        watched.find_map(|(operation, name)| (effect == operation).then_some(name))
    }
}

/// The function that one of these stands for; any other name stays.
pub(super) fn stands_for(name: &str) -> &str {
    let mut watched = WATCHED.into_iter();
    let effect = watched.find_map(|(effect, stand_in)| (stand_in == name).then_some(effect));
    let known = effect.and_then(|effect| with_effect(effect).next());
    known.unwrap_or(name)
}

const IN_USE: &str = "__mazurka_lock_in_use";
const COPIED: &str = "__mazurka_lock_copied";

/// Lets the library be linked in that stands for operations which the checker knows itself.
pub(super) fn declare(module: &Module, watch: Watch) {
    if !watch.in_use && !watch.waits {
        return;
    }
    // Other functions of the library may use those that the program does not.
    let (result, pointer) = (module.int_type(32), module.pointer_type());
    for (operation, name) in WATCHED {
        let handle = module.int_type(module.data_model().address_bits());
        let (result, parameters) = if operation == Effect::Free {
            (module.void_type(), vec![pointer])
        } else if operation == Effect::ThreadJoin {
            (result, vec![handle, pointer])
        } else {
            (result, vec![pointer])
        };
        module.declare(name, result, &parameters);
    }
    if watch.waits {
        module.declare(END_THREAD, module.void_type(), &[]);
    }
}

/// Lets these operations be watched, and answers the library's questions.
pub(super) fn begin(module: &Module, watch: Watch) {
    if watch.in_use || watch.waits {
        for function in module.functions() {
            let watched = watch.stand_in(function);
            let watched = watched.and_then(|name| module.function(name));
            let Some(watched) = watched else { continue };
            function.replace_all_uses(watched);
            let calls = watched.body().into_iter().filter(|value| value.is_call());
            for call in calls.filter(|call| call.callee() == watched) {
                call.set_callee(function);
            }
        }
    }
    knowledge::tell(module, "__mazurka_are_watched", watch.in_use);
    knowledge::tell(module, "__mazurka_are_copied", watch.copies);
    knowledge::tell(module, "__mazurka_are_deadlocks_looked_for", watch.waits);
}

/// Whether an access is to a variable that starts as zero bytes or what the program says.
pub(crate) fn is_static(access: Value) -> bool {
    access
        .accessed_pointer()
        .is_some_and(|pointer| is_defined_variable(base(pointer)))
}

/// Whether what is stored may be what a lock in use holds: not if it is constant, an address that the program has computed, or a new
/// handle. Who computes with what a lock holds makes no copy.
pub(crate) fn stores_variable_content(module: &Module, store: Value) -> bool {
    let value = store.operand(0).filter(|value| !value.is_constant());
    let Some(value) = value.filter(|&value| !is_made(module, value)) else {
        return false;
    };
    let source = value
        .accessed_pointer()
        .filter(|_| value.opcode() == Some(InstructionOpcode::Load))
        .map(base);
    !source.is_some_and(|source| source.is_global_variable() && source.is_constant_global())
}

/// Whether a value is the address of a new object or of a part of another one that does not start there, or a thread's handle.
fn is_made(module: &Module, value: Value) -> bool {
    match value.opcode() {
        Some(InstructionOpcode::Alloca) => true,
        Some(InstructionOpcode::GetElementPtr) => {
            constant_offset(module, value).is_some_and(|(_, offset)| offset != 0)
        }
        Some(InstructionOpcode::Call) => matches!(
            effect(&value.callee().name()),
            Some(
                Effect::Allocate
                    | Effect::AllocateZeroed
                    | Effect::ThreadCreate
                    | Effect::ThreadSelf
            )
        ),
        Some(_) | None => false,
    }
}

/// Whether an access is to a local or heap object whose address no other code has had, and which has been no lock in
/// use, since its life started. For an initialisation, this need only hold since another initialisation of the same
/// lock here, which has made the content known.
pub(crate) fn is_fresh(module: &Module, access: Value) -> bool {
    let Some(object) = access.accessed_pointer().map(base) else {
        return false;
    };
    if !comes_to_life(object) {
        return false;
    }
    let uses = revealing_uses(module, object);
    let starts = match object.is_call() {
        true => vec![object],
        false => starts_of_life(object),
    };
    let initialised = |instruction: Value| {
        let role = role(module, instruction)?;
        if role.operation != LockOperation::Initialises {
            return None;
        }
        constant_offset(module, instruction.accessed_pointer()?)
    };
    let own = initialised(access);
    let flow = Flow::of(access.block().function());
    let mut seen = FxHashSet::default();
    // Backwards, with whether the object was revealed on the way from there.
    let mut pending = vec![(access.previous().ok_or(access.block()), false)];
    while let Some((place, revealed)) = pending.pop() {
        match place {
            Ok(instruction) if own.is_some() && initialised(instruction) == own => {}
            Ok(instruction) if instruction == object || starts.contains(&instruction) => {
                if revealed {
                    return false;
                }
            }
            Ok(instruction) => {
                let before = instruction.previous().ok_or(instruction.block());
                pending.push((before, revealed || uses.contains(&instruction)));
            }
            Err(block) => {
                let before = flow.predecessors(block).iter();
                let ends = before
                    .filter_map(|block| block.terminator())
                    .filter(|&end| seen.insert((end, revealed)));
                pending.extend(ends.map(|end| (Ok(end), revealed)));
            }
        }
    }
    true
}

/// The instructions that may let others know of an object, or put a lock in it in use.
fn revealing_uses(module: &Module, object: Value) -> FxHashSet<Value> {
    let mut found = FxHashSet::default();
    let mut pending = vec![object];
    while let Some(address) = pending.pop() {
        for user in address.users() {
            let is_accessed = user.accessed_pointer() == Some(address);
            let operands = user.operands();
            let mentions = operands.iter().filter(|&&value| value == address).count();
            if user.opcode() == Some(InstructionOpcode::GetElementPtr) {
                pending.push(user);
            } else if lifetime_mark(user).is_some()
                || user.opcode() == Some(InstructionOpcode::ICmp)
                || is_accessed
                    && mentions == 1
                    && role(module, user).is_none_or(|role| role.operation != LockOperation::Uses)
            {
            } else {
                found.insert(user);
            }
        }
    }
    found
}

/// Where a call stores the result of the thread that it joins.
pub(crate) fn joined_result(call: Value) -> Option<Value> {
    let callee = call.is_call().then(|| call.callee().name())?;
    (effect(&callee) == Some(Effect::ThreadJoin)).then(|| call.operand(1))?
}

/// Lets a write to a lock look at the watch. A join waits, so it looks behind: a lock that was in use may still be so.
pub(crate) fn guard(module: &Module, access: Value, guard: Guard) {
    if let Some((pointer, behind)) = joined_result(access).zip(access.next()) {
        let builder = Builder::before(module, behind).copy_position(access);
        let lock = builder.byte_offset(module, pointer, guard.offset);
        require_unwatched(module, &builder, lock, "writes over a lock that is in use");
        return;
    }
    let Some(pointer) = access.accessed_pointer() else {
        return;
    };
    let nothing = module.void_type();
    let builder = Builder::before(module, access).copy_position(access);
    builder.call_named(module, "__VERIFIER_atomic_begin", nothing, &[]);
    let lock = builder.byte_offset(module, pointer, guard.offset);
    let address = module.pointer_type();
    let is_initialisation = role(module, access).is_some();
    if guard.in_use {
        let what = match is_initialisation {
            true => "initialises what is in use",
            false => "writes over a lock that is in use",
        };
        require_unwatched(module, &builder, lock, what);
    }
    if let Some(copied) = module.global(COPIED) {
        let before = builder.load(address, copied);
        let same = builder.equal(before, lock);
        let other = builder.select(same, address.null(), before);
        let value = access.operand(0).filter(|_| guard.copies);
        let after = match value {
            None => other,
            Some(value) => {
                let boolean = module.int_type(1);
                let chosen = builder.call_named(module, "__mazurka_choose", boolean, &[]);
                let is_free = is_free(module, &builder, value, guard.offset);
                let kept = builder.select(is_free, other, lock);
                builder.select(chosen, kept, other)
            }
        };
        builder.store(after, copied);
    }
    if let Some(behind) = access.next() {
        Builder::before(module, behind)
            .copy_position(access)
            .call_named(module, "__VERIFIER_atomic_end", nothing, &[]);
    }
}

/// Requires that a lock is not the one in use that is watched.
fn require_unwatched(module: &Module, builder: &Builder, lock: Value, what: &str) {
    if let Some(in_use) = module.global(IN_USE) {
        let watched = builder.load(module.pointer_type(), in_use);
        require_of_lock(module, builder, builder.not_equal(watched, lock), what);
    }
}

/// Whether the word that names a lock is 0 in what is stored, so many bytes behind its start.
fn is_free(module: &Module, builder: &Builder, value: Value, offset: u64) -> Value {
    let kind = value.value_type_of();
    let word = match kind.int_width() {
        Some(width) if width > 32 && offset == 0 => builder.resize(value, module.int_type(32)),
        Some(_) => value,
        None if kind.is_pointer() => value,
        None => return module.int_type(1).constant(0),
    };
    let is_free = builder.equal(word, word.value_type_of().null());
    is_free.set_metadata_number(module, module.metadata_kind(LOOK_METADATA), 1);
    is_free
}
