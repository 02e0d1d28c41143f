//! The roles of the library's accesses to locks, and the loads that the library makes for itself.
//!
//! Passes mark both while the bodies of the library's functions are still in functions of their own; afterwards the
//! marks tell these accesses from those of the program.

use abi::functions::{Effect, effect};
use inkwell::values::InstructionOpcode;
use rustc_hash::FxHashSet;

use super::addresses::constant_offset;
use super::metadata_kinds::{LOCK_METADATA, LOOK_METADATA, WAIT_METADATA};
use crate::llvm::{Module, Value};

/// Functions of the library that look at memory for the program begin with these.
const LOOKS: [&str; 2] = ["mem", "str"];

/// What an access of the library to a lock means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LockRole {
    /// Whether it is to a word that names the lock.
    pub names: bool,
    /// What it is part of.
    pub operation: LockOperation,
}

/// What an operation does to a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LockOperation {
    /// It initialises the lock, and requires that it is not in use where the content is known.
    Initialises,
    /// It initialises the lock without a look at the content.
    Overwrites,
    /// It is the end of the lock.
    Destroys,
    /// It may put the lock in use.
    Uses,
}

impl LockOperation {
    const ALL: [Self; 4] = [
        Self::Initialises,
        Self::Overwrites,
        Self::Destroys,
        Self::Uses,
    ];

    /// Of the library's function of this name. Condition variables do not always count who uses them, and semaphores never do.
    fn of(function: &str) -> Self {
        if function.ends_with("_destroy") {
            Self::Destroys
        } else if !function.ends_with("_init") {
            Self::Uses
        } else if function.starts_with("pthread_cond_") || function.starts_with("sem_") {
            Self::Overwrites
        } else {
            Self::Initialises
        }
    }

    /// Whether it makes a lock.
    pub fn initialises(self) -> bool {
        matches!(self, Self::Initialises | Self::Overwrites)
    }
}

/// Functions of the library with locks as first argument begin with these.
const OPERATIONS: [&str; 9] = [
    "pthread_mutex_",
    "pthread_rwlock_",
    "__mazurka_rwlock_",
    "pthread_spin_",
    "pthread_barrier_",
    "pthread_cond_",
    "__mazurka_cond_",
    "sem_",
    "__mazurka_sem_",
];

/// Functions of semaphores that keep names and numbers beside them. What they do to a semaphore is done by functions of its own.
const OF_NAMES: [&str; 3] = ["sem_close", "sem_open", "sem_unlink"];

/// Stores what it reads of the lock elsewhere.
const READS_VALUE: &str = "sem_getvalue";

/// Marks what the library loads for itself. All functions but the program's `own` are the library's.
pub(super) fn mark_loads(module: &Module, own: &FxHashSet<Value>) {
    let kind = module.metadata_kind(LOOK_METADATA);
    for function in module.functions() {
        let name = function.name();
        if own.contains(&function) || LOOKS.iter().any(|prefix| name.starts_with(prefix)) {
            continue;
        }
        let body = function.body().into_iter();
        for load in body.filter(|i| i.opcode() == Some(InstructionOpcode::Load)) {
            load.set_metadata_number(module, kind, 1);
        }
    }
}

/// What an access is for where deadlocks are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitRole {
    /// Whether another thread has said that it waits for good, which it lets go on; or that it is about to end.
    LetsGo,
    /// Whether it has to wait for a mutex itself, and for whom.
    HasToWait,
}

impl WaitRole {
    const ALL: [Self; 2] = [Self::LetsGo, Self::HasToWait];

    /// Of the accesses of a function of the library.
    fn of(function: &str) -> Option<Self> {
        match function {
            "__mazurka_let_go" | "__mazurka_end_thread" => Some(Self::LetsGo),
            "__mazurka_has_to_wait" | "__mazurka_holder" => Some(Self::HasToWait),
            _ => None,
        }
    }
}

/// Marks the accesses that have such a role. The bodies of the library's functions must still be in their own functions.
pub(super) fn mark_waits(module: &Module) {
    let kind = module.metadata_kind(WAIT_METADATA);
    for function in module.functions() {
        let Some(role) = WaitRole::of(&function.name()) else {
            continue;
        };
        for access in function.body() {
            if access.accessed_pointer().is_some() {
                access.set_metadata_number(module, kind, role as u32);
            }
        }
    }
}

/// The role of an access in a search for deadlocks; none of others.
pub(crate) fn wait_role(module: &Module, access: Value) -> Option<WaitRole> {
    let number = access.metadata_number(module.metadata_kind(WAIT_METADATA))?;
    WaitRole::ALL.get(number as usize).copied()
}

/// Marks what the library does to locks. The bodies of its functions must still be in their own functions.
pub(super) fn mark_accesses(module: &Module) {
    let kind = module.metadata_kind(LOCK_METADATA);
    for function in module.functions() {
        let name = function.name();
        let is_of_library = effect(&name) == Some(Effect::Modelled);
        if function.is_declaration() || !is_of_library || !operates_on_lock(&name) {
            continue;
        }
        let is_store = |access: &Value| access.opcode() == Some(InstructionOpcode::Store);
        let body = function.body().into_iter();
        for access in body.filter(|access| name != READS_VALUE || !is_store(access)) {
            let place = access
                .accessed_pointer()
                .and_then(|pointer| constant_offset(module, pointer));
            let Some((base, offset)) = place else {
                continue;
            };
            if !base.is_local_variable() {
                let has_two = name.contains("rwlock_") || name.contains("cond");
                let names = match name.starts_with("pthread_mutex_") {
                    true => offset == u64::from(abi::mutex::OWNER),
                    false => offset == 0 || offset == 4 && has_two,
                };
                let role = u32::from(names) | (LockOperation::of(&name) as u32) << 1;
                access.set_metadata_number(module, kind, role);
            }
        }
    }
}

/// Whether a function of the library operates on the lock that its first argument points to.
pub(super) fn operates_on_lock(function: &str) -> bool {
    OPERATIONS.iter().any(|prefix| function.starts_with(prefix)) && !OF_NAMES.contains(&function)
}

/// What an access of the library to a lock means; none of others.
pub(crate) fn role(module: &Module, access: Value) -> Option<LockRole> {
    let number = access.metadata_number(module.metadata_kind(LOCK_METADATA))?;
    Some(LockRole {
        names: number & 1 != 0,
        operation: *LockOperation::ALL.get((number >> 1) as usize)?,
    })
}

/// Whether the library uses a lock here, by what its memory holds.
pub(crate) fn uses_lock(module: &Module, access: Value) -> bool {
    role(module, access).is_some_and(|role| !role.operation.initialises())
}

/// Whether the library changes what a lock holds, or looks at memory for itself.
pub(crate) fn is_of_library(module: &Module, access: Value) -> bool {
    let look = module.metadata_kind(LOOK_METADATA);
    role(module, access).is_some() || access.has_metadata(look)
}
