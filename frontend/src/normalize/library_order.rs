//! Which accesses the library orders itself: those to its own variables, and those of operations on a lock to that lock. All others are made
//! for the program and may race with what the program does, whichever function makes them.

use inkwell::values::InstructionOpcode;
use rustc_hash::FxHashSet;

use super::addresses::base;
use super::lock_accesses::operates_on_lock;
use super::metadata_kinds::{ORDERED_METADATA, WIDE_METADATA};
use crate::llvm::{Module, Value};

/// Other functions that operate on the object which their first argument points to: others may do so at the same time.
const OPERATIONS: [&str; 10] = [
    "pthread_once",
    "__mazurka_has_to_wait",
    "__mazurka_holder",
    "__mazurka_mutex_unlock",
    "__mazurka_require_mtx",
    "release_mutex",
    "require_not_destroyed",
    "wait_for_signal",
    // The system looks at the word that threads wait for.
    "wait_for_change",
    "wake",
];

/// Reads a byte, which stands for all bytes from there on.
const READS_WIDE: &str = "__mazurka_read_wide";

/// Marks what the library orders itself. All functions but the program's `own` are the library's, and none is inlined yet.
pub(super) fn mark(module: &Module, own: &FxHashSet<Value>) {
    let [ordered, wide] = [ORDERED_METADATA, WIDE_METADATA].map(|kind| module.metadata_kind(kind));
    for function in module.functions() {
        if own.contains(&function) {
            continue;
        }
        let object = object_of(function);
        let is_ordered = |place: Value| {
            place.is_global_variable() || place.is_local_variable() || Some(place) == object
        };
        for access in function.body() {
            let Some(pointer) = access.accessed_pointer() else {
                continue;
            };
            if origins(pointer).into_iter().all(is_ordered) {
                access.set_metadata_number(module, ordered, 1);
            } else if function.name() == READS_WIDE {
                access.set_metadata_number(module, wide, 1);
            }
        }
    }
}

/// Whether the library orders an access itself.
pub(crate) fn is_ordered(module: &Module, access: Value) -> bool {
    access.has_metadata(module.metadata_kind(ORDERED_METADATA))
}

/// Whether an access stands for one of all bytes from there on.
pub(crate) fn is_wide(module: &Module, access: Value) -> bool {
    access.has_metadata(module.metadata_kind(WIDE_METADATA))
}

/// The parameter by which a function is passed the object that it operates on, if it is such an operation.
fn object_of(function: Value) -> Option<Value> {
    let name = function.name();
    // Functions of one file get a number where other files have one of the same name.
    let name = name.split('.').next().unwrap_or(&name);
    let operates = operates_on_lock(name) || OPERATIONS.contains(&name);
    function
        .parameters()
        .into_iter()
        .next()
        .filter(|_| operates)
}

/// What a pointer may be computed from. The library is compiled without optimisation, so parameters lie in variables of their own.
fn origins(pointer: Value) -> FxHashSet<Value> {
    let mut origins = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut pending = vec![pointer];
    while let Some(pointer) = pending.pop() {
        let place = base(pointer);
        if !seen.insert(place) {
            continue;
        }
        match stored(place) {
            Some(values) => pending.extend(values),
            None => {
                origins.insert(place);
            }
        }
    }
    origins
}

/// What is stored in the local variable that an instruction loads, if all of that is seen.
fn stored(load: Value) -> Option<Vec<Value>> {
    if load.opcode() != Some(InstructionOpcode::Load) {
        return None;
    }
    let variable = load.operand(0).filter(|from| from.is_local_variable())?;
    let mut values = Vec::new();
    for user in variable.users() {
        match user.opcode() {
            Some(InstructionOpcode::Load) => {}
            Some(InstructionOpcode::Store) if user.operand(1) == Some(variable) => {
                values.extend(user.operand(0));
            }
            Some(_) | None => return None,
        }
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::normalize::LIBRARY;

    /// The functions that order some access by a pointer which they are passed: those that operate on an object of the library.
    #[test]
    fn only_operations_on_objects_of_the_library_order_accesses() {
        for (_, compiled) in LIBRARY.iter().filter(|(_, compiled)| !compiled.is_empty()) {
            let module = Module::from_bitcode(compiled, "library").expect("compiled");
            mark(&module, &FxHashSet::default());
            let is_passed = |access: &Value| {
                let pointer = access.accessed_pointer();
                let of_function = access.block().function().parameters();
                pointer.is_some_and(|pointer| {
                    origins(pointer)
                        .iter()
                        .any(|place| of_function.contains(place))
                })
            };
            let orders = |function: &Value| {
                let body = function.body().into_iter();
                body.filter(is_passed)
                    .any(|access| is_ordered(&module, access))
            };
            let functions = module.functions().into_iter();
            let found: BTreeSet<String> = functions.filter(orders).map(Value::name).collect();
            let found: Vec<&str> = found.iter().map(String::as_str).collect();
            assert_eq!(found, OPERATE);
        }
    }

    const OPERATE: [&str; 50] = [
        "__mazurka_cond_begin",
        "__mazurka_cond_end",
        "__mazurka_cond_leave",
        "__mazurka_cond_require",
        "__mazurka_cond_require_made",
        "__mazurka_cond_wake_one",
        "__mazurka_has_to_wait",
        "__mazurka_holder",
        "__mazurka_mutex_unlock",
        "__mazurka_require_mtx",
        "__mazurka_rwlock_begin_reading",
        "__mazurka_rwlock_end_reading",
        "__mazurka_sem_content",
        "__mazurka_sem_fill",
        "__mazurka_sem_take",
        "pthread_barrier_destroy",
        "pthread_barrier_init",
        "pthread_barrier_wait",
        "pthread_cond_broadcast",
        "pthread_cond_destroy",
        "pthread_cond_init",
        "pthread_cond_timedwait",
        "pthread_mutex_clocklock",
        "pthread_mutex_destroy",
        "pthread_mutex_init",
        "pthread_once",
        "pthread_rwlock_clockrdlock",
        "pthread_rwlock_clockwrlock",
        "pthread_rwlock_destroy",
        "pthread_rwlock_init",
        "pthread_rwlock_rdlock",
        "pthread_rwlock_tryrdlock",
        "pthread_rwlock_trywrlock",
        "pthread_rwlock_unlock",
        "pthread_rwlock_wrlock",
        "pthread_spin_destroy",
        "pthread_spin_init",
        "pthread_spin_lock",
        "pthread_spin_trylock",
        "pthread_spin_unlock",
        "release_mutex",
        "require_not_destroyed",
        "sem_destroy",
        "sem_getvalue",
        "sem_init",
        "sem_post",
        "sem_wait",
        "wait_for_change",
        "wait_for_signal",
        "wake",
    ];
}
