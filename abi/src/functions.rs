//! The one table of library functions: name to [`Effect`].
//!
//! No other place compares function names as strings. A function that is neither defined in the program nor listed here
//! is unsupported, never silently a no-op.

/// What a call of a library function means to the model checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// `uint64_t __mazurka_create(start, argument)`: starts a thread and returns its handle.
    ThreadCreate,
    /// `pthread_join(thread, value)`.
    ThreadJoin,
    /// `pthread_detach(thread)`.
    ThreadDetach,
    /// `pthread_exit(value)`.
    ThreadExit,
    /// `pthread_self()`.
    ThreadSelf,
    /// `unsigned __mazurka_thread()`: the number by which a lock in memory names the thread; no handle, which is an arbitrary number.
    ThreadNumber,
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
    /// `__mazurka_wait()`: the condition that the library of `frontend` waits for does not hold. The thread stops here for good;
    /// natively it looks again when others have run.
    Wait,
    /// A violation of the property if the argument is 0.
    Assert,
    /// A violation of the property.
    Error,
    /// The whole run ends: `abort`, `_exit`.
    Halt,
    /// `exit(status)`: as [`Effect::Halt`], behind what is registered for the end of the process.
    Exit,
    /// The returned value is arbitrary; the width follows from the declared return type.
    Nondeterministic,
    /// `_Bool __mazurka_choose()`: whether a lock is the one that is watched. What holds whatever is chosen holds of all locks.
    Choose,
    /// `malloc(size)`; does not fail, the content is arbitrary.
    Allocate,
    /// `calloc(count, size)`; does not fail, the content is zero.
    AllocateZeroed,
    /// `free(pointer)`.
    Free,
    /// `unsigned __mazurka_object(pointer)`: which object an address was made from, as a number by which objects differ.
    Object,
    /// `size_t __mazurka_size(object)`: how many bytes a heap object has.
    Size,
    /// Nothing the property can depend on happens; a returned integer or pointer is arbitrary, and a violation
    /// that depends on it does not count (output, sleeping, `clock`, which never goes back).
    Irrelevant,
    /// As [`Effect::Irrelevant`], but the returned value is 0, for functions whose failure is not modelled.
    Succeeds,
    /// Defined in C by the library of `frontend` (`frontend/library/`), in terms of the other effects.
    Modelled,
    /// `sscanf(text, format, targets…)`: as modelled, where the format is a constant and all that it stores are integers.
    Scan,
    /// As [`Effect::Irrelevant`], where the argument at this position is a constant format; what its conversions do to memory is
    /// made explicit before.
    Print {
        /// The position of the format.
        format: u32,
    },
    /// As [`Effect::Print`], where the values come in a `va_list`.
    PrintList {
        /// The position of the format.
        format: u32,
    },
    /// As [`Effect::Irrelevant`]; reads the text that the first argument points to.
    PutText,
    /// As [`Effect::PutText`], unless the pointer is null.
    PutMessage,
    /// `fwrite(block, size, count, file)`: as [`Effect::Irrelevant`]; reads the block.
    PutBlock,
    /// `setbuf(file, buffer)`: as [`Effect::Irrelevant`], where the buffer is a null pointer.
    SetBuffer,
    /// `__mazurka_nondet.<type>()`: the arbitrary but fixed first value of a variable without initialiser.
    FirstValue,
    /// `__mazurka_undefined_unless(condition, text)`: the meaning of the program is undefined if the first argument is 0.
    UndefinedUnless,
    /// `__mazurka_require_no_region()`: a construct that is not read inside of an atomic region.
    RequireNoRegion,
    /// `__mazurka_recursion_limit()`: deeper recursion than `--recursion`.
    RecursionLimit,
    /// `__mazurka_unsupported(text)`: the construct that the constant string names is not read.
    Unsupported,
    /// [`crate::markers::YIELD`]: the location before the call is external.
    Yield,
    /// [`crate::markers::YIELD_IF_COMMITTED`]: the location before the call is external if the transaction has committed.
    YieldIfCommitted,
    /// [`crate::markers::COMMIT_UNLESS`]: the transaction commits.
    CommitUnless,
    /// [`crate::markers::UNREACHED`]: whether no other thread may still reach certain instructions.
    Unreached,
    /// [`crate::markers::APART`]: whether no other thread may still reach certain accesses that overlap one.
    Apart,
    /// [`crate::markers::DIFFERS`]: whether memory does not hold a value.
    Differs,
    /// [`crate::markers::LOCKED`]: whether no other thread may still reach certain instructions without a mutex of this
    /// one.
    Locked,
    /// [`crate::markers::BOTH`]: whether two conditions hold.
    Both,
    /// [`crate::markers::YIELD_LOCAL`]: the location before the call is an exposed internal cut point.
    YieldLocal,
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
    if name.starts_with(FIRST_VALUE_PREFIX) {
        return Some(Effect::FirstValue);
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

/// Whether calls of this function violate the property even if the program defines it (the SV-COMP convention).
pub fn is_violation_by_name(name: &str) -> bool {
    matches!(name, "__VERIFIER_error" | "reach_error")
}

/// All names of the table.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|(name, _)| *name)
}

/// All names that the library of `frontend` must define.
pub fn modelled() -> impl Iterator<Item = &'static str> {
    TABLE
        .iter()
        .filter(|(_, effect)| *effect == Effect::Modelled)
        .map(|(name, _)| *name)
}

/// Functions that `normalize` inserts to give a variable without initialiser its first value.
pub const FIRST_VALUE_PREFIX: &str = "__mazurka_nondet.";

/// Undefined functions with these prefixes return an arbitrary value of their declared return type.
const NONDETERMINISTIC_PREFIXES: [&str; 2] = ["__VERIFIER_nondet_", "__nondet_"];

use Effect::{
    Allocate, AllocateZeroed, Apart, Assert, Assume, AtomicBegin, AtomicEnd, Both, Choose,
    CommitUnless, Differs, Error, Exit, Free, Halt, Irrelevant, Locked, Modelled, MutexLock,
    MutexTryLock, MutexUnlock, Object, Print, PrintList, PutBlock, PutMessage, PutText,
    RecursionLimit, RequireNoRegion, Scan, SetBuffer, Size, Succeeds, ThreadCreate, ThreadDetach,
    ThreadExit, ThreadJoin, ThreadNumber, ThreadSelf, UndefinedUnless, Unreached, Unsupported,
    Wait, Yield, YieldIfCommitted, YieldLocal,
};

use crate::markers;

/// Sorted by name, for binary search.
const TABLE: &[(&str, Effect)] = &[
    ("_Exit", Halt),
    ("_IO_putc", Irrelevant),
    ("__VERIFIER_assert", Assert),
    ("__VERIFIER_assume", Assume),
    ("__VERIFIER_atomic_begin", AtomicBegin),
    ("__VERIFIER_atomic_end", AtomicEnd),
    ("__VERIFIER_error", Error),
    ("__assert", Error),
    ("__assert_fail", Error),
    ("__assert_perror_fail", Error),
    ("__assert_rtn", Error),
    ("__builtin_trap", Halt),
    ("__errno_location", Modelled),
    ("__isoc23_sscanf", Scan),
    ("__isoc99_sscanf", Scan),
    (markers::APART, Apart),
    ("__mazurka_begin_exit", Modelled),
    (markers::BOTH, Both),
    ("__mazurka_calloc", Modelled),
    ("__mazurka_choose", Choose),
    (markers::COMMIT_UNLESS, CommitUnless),
    ("__mazurka_cond_begin", Modelled),
    ("__mazurka_cond_end", Modelled),
    ("__mazurka_cond_require", Modelled),
    ("__mazurka_count_16", Modelled),
    ("__mazurka_count_32", Modelled),
    ("__mazurka_count_64", Modelled),
    ("__mazurka_count_8", Modelled),
    ("__mazurka_create", ThreadCreate),
    (markers::DIFFERS, Differs),
    ("__mazurka_hold", Modelled),
    (markers::LOCKED, Locked),
    ("__mazurka_mutex_lock", Modelled),
    ("__mazurka_mutex_trylock", Modelled),
    ("__mazurka_mutex_unlock", Modelled),
    ("__mazurka_object", Object),
    ("__mazurka_read_block", Modelled),
    ("__mazurka_read_message", Modelled),
    ("__mazurka_read_text", Modelled),
    (markers::RECURSION_LIMIT, RecursionLimit),
    ("__mazurka_release", Modelled),
    ("__mazurka_require_apart", Modelled),
    ("__mazurka_require_no_region", RequireNoRegion),
    ("__mazurka_require_original", Modelled),
    ("__mazurka_run_destructors", Modelled),
    ("__mazurka_run_exit_handlers", Modelled),
    ("__mazurka_scan", Modelled),
    ("__mazurka_scan_16", Modelled),
    ("__mazurka_scan_32", Modelled),
    ("__mazurka_scan_64", Modelled),
    ("__mazurka_scan_8", Modelled),
    ("__mazurka_sem_take", Modelled),
    ("__mazurka_size", Size),
    ("__mazurka_thread", ThreadNumber),
    ("__mazurka_thread_ends", Modelled),
    (markers::UNDEFINED_UNLESS, UndefinedUnless),
    ("__mazurka_unknown_int", Irrelevant),
    ("__mazurka_unknown_long", Irrelevant),
    (markers::UNREACHED, Unreached),
    (markers::UNSUPPORTED, Unsupported),
    ("__mazurka_wait", Wait),
    (markers::YIELD, Yield),
    (markers::YIELD_IF_COMMITTED, YieldIfCommitted),
    (markers::YIELD_LOCAL, YieldLocal),
    ("__pthread_register_cancel", Modelled),
    ("__pthread_unregister_cancel", Modelled),
    ("_exit", Halt),
    ("abort", Halt),
    ("aligned_alloc", Modelled),
    ("atexit", Modelled),
    ("atoi", Modelled),
    ("atol", Modelled),
    ("atoll", Modelled),
    ("bcmp", Modelled),
    ("calloc", AllocateZeroed),
    ("clock", Irrelevant),
    ("dprintf", Print { format: 1 }),
    ("exit", Exit),
    ("fflush", Irrelevant),
    ("fprintf", Print { format: 1 }),
    ("fputc", Irrelevant),
    ("fputs", PutText),
    ("fputs_unlocked", PutText),
    ("free", Free),
    ("fwrite", PutBlock),
    ("getpid", Modelled),
    ("lrand48", Modelled),
    ("malloc", Allocate),
    ("memchr", Modelled),
    ("memcmp", Modelled),
    ("memcpy", Modelled),
    ("memmove", Modelled),
    ("mempcpy", Modelled),
    ("memset", Modelled),
    ("nanosleep", Modelled),
    ("perror", PutMessage),
    ("posix_memalign", Modelled),
    ("printf", Print { format: 0 }),
    ("pthread_attr_destroy", Modelled),
    ("pthread_attr_getdetachstate", Modelled),
    ("pthread_attr_getinheritsched", Modelled),
    ("pthread_attr_getschedpolicy", Modelled),
    ("pthread_attr_getscope", Modelled),
    ("pthread_attr_getstacksize", Modelled),
    ("pthread_attr_init", Modelled),
    ("pthread_attr_setdetachstate", Modelled),
    ("pthread_attr_setinheritsched", Modelled),
    ("pthread_attr_setschedpolicy", Modelled),
    ("pthread_attr_setscope", Modelled),
    ("pthread_attr_setstacksize", Modelled),
    ("pthread_barrier_destroy", Modelled),
    ("pthread_barrier_init", Modelled),
    ("pthread_barrier_wait", Modelled),
    ("pthread_barrierattr_destroy", Modelled),
    ("pthread_barrierattr_init", Modelled),
    ("pthread_cond_broadcast", Modelled),
    ("pthread_cond_destroy", Modelled),
    ("pthread_cond_init", Modelled),
    ("pthread_cond_signal", Modelled),
    ("pthread_cond_timedwait", Modelled),
    ("pthread_cond_wait", Modelled),
    ("pthread_condattr_destroy", Modelled),
    ("pthread_condattr_init", Modelled),
    ("pthread_create", Modelled),
    ("pthread_detach", ThreadDetach),
    ("pthread_equal", Modelled),
    ("pthread_exit", ThreadExit),
    ("pthread_getconcurrency", Modelled),
    ("pthread_getspecific", Modelled),
    ("pthread_join", ThreadJoin),
    ("pthread_key_create", Modelled),
    ("pthread_key_delete", Modelled),
    ("pthread_mutex_destroy", Modelled),
    ("pthread_mutex_init", Modelled),
    ("pthread_mutex_lock", MutexLock),
    ("pthread_mutex_timedlock", Modelled),
    ("pthread_mutex_trylock", MutexTryLock),
    ("pthread_mutex_unlock", MutexUnlock),
    ("pthread_mutexattr_destroy", Modelled),
    ("pthread_mutexattr_gettype", Modelled),
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
    ("pthread_rwlockattr_destroy", Modelled),
    ("pthread_rwlockattr_init", Modelled),
    ("pthread_self", ThreadSelf),
    ("pthread_setconcurrency", Modelled),
    ("pthread_setspecific", Modelled),
    ("pthread_spin_destroy", Modelled),
    ("pthread_spin_init", Modelled),
    ("pthread_spin_lock", Modelled),
    ("pthread_spin_trylock", Modelled),
    ("pthread_spin_unlock", Modelled),
    ("pthread_yield", Succeeds),
    ("putc", Irrelevant),
    ("putchar", Irrelevant),
    ("puts", PutText),
    ("quick_exit", Halt),
    ("rand", Modelled),
    ("rand_r", Modelled),
    ("random", Modelled),
    ("reach_error", Error),
    ("realloc", Modelled),
    ("sched_yield", Succeeds),
    ("sem_destroy", Modelled),
    ("sem_getvalue", Modelled),
    ("sem_init", Modelled),
    ("sem_post", Modelled),
    ("sem_timedwait", Modelled),
    ("sem_trywait", Modelled),
    ("sem_wait", Modelled),
    ("setbuf", SetBuffer),
    ("sleep", Irrelevant),
    ("srand", Modelled),
    ("srandom", Modelled),
    ("sscanf", Scan),
    ("stpcpy", Modelled),
    ("strcat", Modelled),
    ("strchr", Modelled),
    ("strcmp", Modelled),
    ("strcpy", Modelled),
    ("strdup", Modelled),
    ("strlen", Modelled),
    ("strncat", Modelled),
    ("strncmp", Modelled),
    ("strncpy", Modelled),
    ("strnlen", Modelled),
    ("strrchr", Modelled),
    ("time", Modelled),
    ("usleep", Irrelevant),
    ("vfprintf", PrintList { format: 1 }),
    ("vprintf", PrintList { format: 0 }),
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
    fn names_are_found_by_their_printable_form() {
        for (name, _) in TABLE {
            assert_eq!(crate::text::printable(name), *name);
        }
    }

    #[test]
    fn prefixes_do_not_hide_table_entries() {
        assert_eq!(effect("__nondet_int"), Some(Effect::Nondeterministic));
        assert_eq!(effect("__VERIFIER_atomic_begin"), Some(AtomicBegin));
        assert!(body_is_atomic("__VERIFIER_atomic_push"));
        assert!(!body_is_atomic("__VERIFIER_atomic_end"));
        assert_eq!(effect(""), None);
    }
}
