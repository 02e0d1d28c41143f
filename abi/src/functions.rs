//! The one table of library functions: name to [`Effect`].
//!
//! No other place compares function names as strings. A function that is neither defined in the program nor listed here
//! is unsupported, never silently a no-op.

/// What a call of a library function means to the model checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// `pthread_create(handle, attributes, start, argument)`.
    ThreadCreate,
    /// `pthread_join(thread, value)`.
    ThreadJoin,
    /// `pthread_exit(value)`.
    ThreadExit,
    /// `pthread_self()`.
    ThreadSelf,
    /// `pthread_mutex_lock(mutex)`.
    MutexLock,
    /// `pthread_mutex_trylock(mutex)`.
    MutexTryLock,
    /// `pthread_mutex_unlock(mutex)`.
    MutexUnlock,
    /// Start of a region that no other thread interrupts; regions nest.
    AtomicBegin,
    /// End of such a region.
    AtomicEnd,
    /// The thread goes on only if the argument is not 0; otherwise it stops here for good.
    Assume,
    /// A violation of the property if the argument is 0.
    Assert,
    /// A violation of the property.
    Error,
    /// The whole run ends: `abort`, `exit`.
    Halt,
    /// The returned value is arbitrary; the width follows from the declared return type.
    Nondeterministic,
    /// `malloc(size)`; does not fail, the content is arbitrary.
    Allocate,
    /// `calloc(count, size)`; does not fail, the content is zero.
    AllocateZeroed,
    /// `free(pointer)`.
    Free,
    /// Nothing the property can depend on happens; a returned integer or pointer is arbitrary (output, sleeping).
    Irrelevant,
    /// As [`Effect::Irrelevant`], but the returned value is 0, for functions whose failure is not modelled.
    Succeeds,
    /// Defined in C by the library of `program` (`program/library/`), in terms of the other effects.
    Modelled,
}

/// What a call of `name` means; `None` for a function the table does not know.
///
/// ```
/// use abi::functions::{Effect, effect};
/// assert_eq!(effect("pthread_mutex_lock"), Some(Effect::MutexLock));
/// assert_eq!(effect("__VERIFIER_nondet_uint"), Some(Effect::Nondeterministic));
/// assert_eq!(effect("launch_missiles"), None);
/// ```
pub fn effect(name: &str) -> Option<Effect> {
    if let Ok(index) = TABLE.binary_search_by(|(known, _)| known.cmp(&name)) {
        return Some(TABLE[index].1);
    }
    NONDETERMINISTIC_PREFIXES
        .iter()
        .any(|prefix| name.starts_with(prefix))
        .then_some(Effect::Nondeterministic)
}

/// Whether the whole body of a defined function of this name is one atomic region (the SV-COMP convention).
pub fn body_is_atomic(name: &str) -> bool {
    name.starts_with("__VERIFIER_atomic_") && effect(name).is_none()
}

/// All names that the library of `program` must define.
pub fn modelled() -> impl Iterator<Item = &'static str> {
    TABLE
        .iter()
        .filter(|(_, effect)| *effect == Effect::Modelled)
        .map(|(name, _)| *name)
}

/// Undefined functions with these prefixes return an arbitrary value of their declared return type.
const NONDETERMINISTIC_PREFIXES: [&str; 2] = ["__VERIFIER_nondet_", "__nondet_"];

use Effect::{
    Allocate, AllocateZeroed, Assert, Assume, AtomicBegin, AtomicEnd, Error, Free, Halt,
    Irrelevant, Modelled, MutexLock, MutexTryLock, MutexUnlock, Nondeterministic, Succeeds,
    ThreadCreate, ThreadExit, ThreadJoin, ThreadSelf,
};

/// Sorted by name, for binary search.
const TABLE: &[(&str, Effect)] = &[
    ("_Exit", Halt),
    ("_IO_putc", Irrelevant),
    ("__VERIFIER_assert", Assert),
    ("__VERIFIER_assume", Assume),
    ("__VERIFIER_atomic_begin", AtomicBegin),
    ("__VERIFIER_atomic_end", AtomicEnd),
    ("__VERIFIER_error", Error),
    ("__assert_fail", Error),
    ("__mazurka_nondet", Nondeterministic),
    ("_exit", Halt),
    ("abort", Halt),
    ("calloc", AllocateZeroed),
    ("exit", Halt),
    ("fflush", Irrelevant),
    ("fprintf", Irrelevant),
    ("fputc", Irrelevant),
    ("fputs", Irrelevant),
    ("free", Free),
    ("fwrite", Irrelevant),
    ("malloc", Allocate),
    ("memchr", Modelled),
    ("memcmp", Modelled),
    ("memcpy", Modelled),
    ("memmove", Modelled),
    ("memset", Modelled),
    ("nanosleep", Irrelevant),
    ("perror", Irrelevant),
    ("posix_memalign", Modelled),
    ("printf", Irrelevant),
    ("pthread_attr_destroy", Succeeds),
    ("pthread_attr_init", Succeeds),
    ("pthread_attr_setdetachstate", Succeeds),
    ("pthread_attr_setscope", Succeeds),
    ("pthread_attr_setstacksize", Succeeds),
    ("pthread_barrier_destroy", Modelled),
    ("pthread_barrier_init", Modelled),
    ("pthread_barrier_wait", Modelled),
    ("pthread_cond_broadcast", Modelled),
    ("pthread_cond_destroy", Modelled),
    ("pthread_cond_init", Modelled),
    ("pthread_cond_signal", Modelled),
    ("pthread_cond_timedwait", Modelled),
    ("pthread_cond_wait", Modelled),
    ("pthread_condattr_destroy", Succeeds),
    ("pthread_condattr_init", Succeeds),
    ("pthread_create", ThreadCreate),
    ("pthread_detach", Succeeds),
    ("pthread_equal", Modelled),
    ("pthread_exit", ThreadExit),
    ("pthread_getspecific", Modelled),
    ("pthread_join", ThreadJoin),
    ("pthread_key_create", Modelled),
    ("pthread_mutex_destroy", Modelled),
    ("pthread_mutex_init", Modelled),
    ("pthread_mutex_lock", MutexLock),
    ("pthread_mutex_timedlock", Modelled),
    ("pthread_mutex_trylock", MutexTryLock),
    ("pthread_mutex_unlock", MutexUnlock),
    ("pthread_mutexattr_destroy", Modelled),
    ("pthread_mutexattr_init", Modelled),
    ("pthread_mutexattr_settype", Modelled),
    ("pthread_once", Modelled),
    ("pthread_rwlock_destroy", Modelled),
    ("pthread_rwlock_init", Modelled),
    ("pthread_rwlock_rdlock", Modelled),
    ("pthread_rwlock_tryrdlock", Modelled),
    ("pthread_rwlock_trywrlock", Modelled),
    ("pthread_rwlock_unlock", Modelled),
    ("pthread_rwlock_wrlock", Modelled),
    ("pthread_self", ThreadSelf),
    ("pthread_setspecific", Modelled),
    ("pthread_spin_destroy", Modelled),
    ("pthread_spin_init", Modelled),
    ("pthread_spin_lock", Modelled),
    ("pthread_spin_trylock", Modelled),
    ("pthread_spin_unlock", Modelled),
    ("pthread_yield", Succeeds),
    ("putchar", Irrelevant),
    ("puts", Irrelevant),
    ("quick_exit", Halt),
    ("rand", Nondeterministic),
    ("rand_r", Nondeterministic),
    ("random", Nondeterministic),
    ("reach_error", Error),
    ("realloc", Modelled),
    ("sched_yield", Succeeds),
    ("sem_destroy", Modelled),
    ("sem_getvalue", Modelled),
    ("sem_init", Modelled),
    ("sem_post", Modelled),
    ("sem_trywait", Modelled),
    ("sem_wait", Modelled),
    ("sleep", Irrelevant),
    ("srand", Irrelevant),
    ("strcmp", Modelled),
    ("strcpy", Modelled),
    ("strlen", Modelled),
    ("strncmp", Modelled),
    ("strncpy", Modelled),
    ("time", Nondeterministic),
    ("usleep", Irrelevant),
    ("vfprintf", Irrelevant),
    ("vprintf", Irrelevant),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_without_repetition() {
        for pair in TABLE.windows(2) {
            assert!(
                pair[0].0 < pair[1].0,
                "{} and {} are out of order",
                pair[0].0,
                pair[1].0
            );
        }
    }

    #[test]
    fn prefixes_do_not_hide_table_entries() {
        assert_eq!(effect("__nondet_int"), Some(Nondeterministic));
        assert_eq!(effect("__VERIFIER_atomic_begin"), Some(AtomicBegin));
        assert!(body_is_atomic("__VERIFIER_atomic_push"));
        assert!(!body_is_atomic("__VERIFIER_atomic_end"));
        assert_eq!(effect(""), None);
    }
}
