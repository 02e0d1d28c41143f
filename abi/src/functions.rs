//! The one table of library functions: name to [`Effect`].
//!
//! No other place compares function names as strings. A function that is neither defined in the program nor listed here
//! is unsupported, never silently a no-op.

pub use crate::effect::Effect;

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
    MutexTryLock, MutexUnlock, Object, Print, PrintList, PrintText, PrintTextList, PutBlock,
    PutMessage, PutText, RecursionLimit, RequireNoRegion, Scan, SetBuffer, Size, Succeeds,
    ThreadCreate, ThreadDetach, ThreadExit, ThreadJoin, ThreadNumber, ThreadSelf, UndefinedUnless,
    Unreached, Unsupported, Wait, Yield, YieldIfCommitted, YieldLocal,
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
    ("__ctype_b_loc", Modelled),
    ("__ctype_tolower_loc", Modelled),
    ("__ctype_toupper_loc", Modelled),
    ("__errno_location", Modelled),
    ("__isoc23_sscanf", Scan),
    ("__isoc23_strtol", Modelled),
    ("__isoc23_strtoll", Modelled),
    ("__isoc23_strtoul", Modelled),
    ("__isoc23_strtoull", Modelled),
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
    ("__mazurka_free", Modelled),
    ("__mazurka_hold", Modelled),
    (markers::LOCKED, Locked),
    ("__mazurka_monotonic_is_over", Modelled),
    ("__mazurka_monotonic_reaches", Modelled),
    ("__mazurka_mutex_lock", Modelled),
    ("__mazurka_mutex_trylock", Modelled),
    ("__mazurka_mutex_unlock", Modelled),
    ("__mazurka_object", Object),
    ("__mazurka_put_character", Modelled),
    ("__mazurka_put_end", Modelled),
    ("__mazurka_put_number", Modelled),
    ("__mazurka_put_padded", Modelled),
    ("__mazurka_put_text", Modelled),
    ("__mazurka_put_unknown", Modelled),
    ("__mazurka_read_block", Modelled),
    ("__mazurka_read_message", Modelled),
    ("__mazurka_read_text", Modelled),
    (markers::RECURSION_LIMIT, RecursionLimit),
    ("__mazurka_release", Modelled),
    ("__mazurka_require_apart", Modelled),
    ("__mazurka_require_no_region", RequireNoRegion),
    ("__mazurka_require_original", Modelled),
    ("__mazurka_require_size", Modelled),
    ("__mazurka_require_unwritten", Modelled),
    ("__mazurka_require_width", Modelled),
    ("__mazurka_run_destructors", Modelled),
    ("__mazurka_run_exit_handlers", Modelled),
    ("__mazurka_scan", Modelled),
    ("__mazurka_scan_16", Modelled),
    ("__mazurka_scan_32", Modelled),
    ("__mazurka_scan_64", Modelled),
    ("__mazurka_scan_8", Modelled),
    ("__mazurka_sem_take", Modelled),
    ("__mazurka_size", Size),
    ("__mazurka_text_length", Modelled),
    ("__mazurka_thread", ThreadNumber),
    ("__mazurka_thread_ends", Modelled),
    ("__mazurka_time_passes", Modelled),
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
    ("__sched_cpucount", Modelled),
    ("__xpg_strerror_r", Modelled),
    ("_exit", Halt),
    ("abort", Halt),
    ("abs", Modelled),
    ("aligned_alloc", Modelled),
    ("atexit", Modelled),
    ("atoi", Modelled),
    ("atol", Modelled),
    ("atoll", Modelled),
    ("bcmp", Modelled),
    ("bsearch", Modelled),
    ("calloc", AllocateZeroed),
    ("clock", Irrelevant),
    ("clock_getres", Modelled),
    ("clock_gettime", Modelled),
    ("clock_nanosleep", Modelled),
    ("close", Modelled),
    ("difftime", Irrelevant),
    ("dprintf", Print { format: 1 }),
    ("exit", Exit),
    ("fflush", Irrelevant),
    ("fprintf", Print { format: 1 }),
    ("fputc", Irrelevant),
    ("fputs", PutText),
    ("fputs_unlocked", PutText),
    ("free", Free),
    ("fwrite", PutBlock),
    ("getegid", Irrelevant),
    ("getenv", Modelled),
    ("geteuid", Irrelevant),
    ("getgid", Irrelevant),
    ("getpagesize", Modelled),
    ("getpid", Modelled),
    ("getppid", Irrelevant),
    ("getrandom", Modelled),
    ("gettid", Irrelevant),
    ("gettimeofday", Modelled),
    ("getuid", Irrelevant),
    ("isalnum", Modelled),
    ("isalpha", Modelled),
    ("isblank", Modelled),
    ("iscntrl", Modelled),
    ("isdigit", Modelled),
    ("isgraph", Modelled),
    ("islower", Modelled),
    ("isprint", Modelled),
    ("ispunct", Modelled),
    ("isspace", Modelled),
    ("isupper", Modelled),
    ("isxdigit", Modelled),
    ("labs", Modelled),
    ("llabs", Modelled),
    ("lrand48", Modelled),
    ("malloc", Allocate),
    ("memchr", Modelled),
    ("memcmp", Modelled),
    ("memcpy", Modelled),
    ("memmem", Modelled),
    ("memmove", Modelled),
    ("mempcpy", Modelled),
    ("memrchr", Modelled),
    ("memset", Modelled),
    ("nanosleep", Modelled),
    ("perror", PutMessage),
    ("poll", Modelled),
    ("posix_memalign", Modelled),
    ("prctl", Modelled),
    ("printf", Print { format: 0 }),
    ("pthread_atfork", Succeeds),
    ("pthread_attr_destroy", Modelled),
    ("pthread_attr_getdetachstate", Modelled),
    ("pthread_attr_getguardsize", Modelled),
    ("pthread_attr_getinheritsched", Modelled),
    ("pthread_attr_getschedpolicy", Modelled),
    ("pthread_attr_getscope", Modelled),
    ("pthread_attr_getstacksize", Modelled),
    ("pthread_attr_init", Modelled),
    ("pthread_attr_setdetachstate", Modelled),
    ("pthread_attr_setguardsize", Modelled),
    ("pthread_attr_setinheritsched", Modelled),
    ("pthread_attr_setschedpolicy", Modelled),
    ("pthread_attr_setscope", Modelled),
    ("pthread_attr_setstacksize", Modelled),
    ("pthread_barrier_destroy", Modelled),
    ("pthread_barrier_init", Modelled),
    ("pthread_barrier_wait", Modelled),
    ("pthread_barrierattr_destroy", Modelled),
    ("pthread_barrierattr_init", Modelled),
    ("pthread_clockjoin_np", Modelled),
    ("pthread_cond_broadcast", Modelled),
    ("pthread_cond_clockwait", Modelled),
    ("pthread_cond_destroy", Modelled),
    ("pthread_cond_init", Modelled),
    ("pthread_cond_signal", Modelled),
    ("pthread_cond_timedwait", Modelled),
    ("pthread_cond_wait", Modelled),
    ("pthread_condattr_destroy", Modelled),
    ("pthread_condattr_getclock", Modelled),
    ("pthread_condattr_getpshared", Modelled),
    ("pthread_condattr_init", Modelled),
    ("pthread_condattr_setclock", Modelled),
    ("pthread_condattr_setpshared", Modelled),
    ("pthread_create", Modelled),
    ("pthread_detach", ThreadDetach),
    ("pthread_equal", Modelled),
    ("pthread_exit", ThreadExit),
    ("pthread_getaffinity_np", Modelled),
    ("pthread_getconcurrency", Modelled),
    ("pthread_getname_np", Modelled),
    ("pthread_getspecific", Modelled),
    ("pthread_join", ThreadJoin),
    ("pthread_key_create", Modelled),
    ("pthread_key_delete", Modelled),
    ("pthread_mutex_clocklock", Modelled),
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
    ("pthread_rwlock_clockrdlock", Modelled),
    ("pthread_rwlock_clockwrlock", Modelled),
    ("pthread_rwlock_destroy", Modelled),
    ("pthread_rwlock_init", Modelled),
    ("pthread_rwlock_rdlock", Modelled),
    ("pthread_rwlock_timedrdlock", Modelled),
    ("pthread_rwlock_timedwrlock", Modelled),
    ("pthread_rwlock_tryrdlock", Modelled),
    ("pthread_rwlock_trywrlock", Modelled),
    ("pthread_rwlock_unlock", Modelled),
    ("pthread_rwlock_wrlock", Modelled),
    ("pthread_rwlockattr_destroy", Modelled),
    ("pthread_rwlockattr_init", Modelled),
    ("pthread_self", ThreadSelf),
    ("pthread_setaffinity_np", Modelled),
    ("pthread_setconcurrency", Modelled),
    ("pthread_setname_np", Modelled),
    ("pthread_setspecific", Modelled),
    ("pthread_sigmask", Modelled),
    ("pthread_spin_destroy", Modelled),
    ("pthread_spin_init", Modelled),
    ("pthread_spin_lock", Modelled),
    ("pthread_spin_trylock", Modelled),
    ("pthread_spin_unlock", Modelled),
    ("pthread_timedjoin_np", Modelled),
    ("pthread_tryjoin_np", Modelled),
    ("pthread_yield", Succeeds),
    ("putc", Irrelevant),
    ("putchar", Irrelevant),
    ("puts", PutText),
    ("qsort", Modelled),
    ("quick_exit", Halt),
    ("raise", Modelled),
    ("rand", Modelled),
    ("rand_r", Modelled),
    ("random", Modelled),
    ("reach_error", Error),
    ("read", Modelled),
    ("realloc", Modelled),
    ("sched_getcpu", Irrelevant),
    ("sched_yield", Succeeds),
    ("sem_clockwait", Modelled),
    ("sem_destroy", Modelled),
    ("sem_getvalue", Modelled),
    ("sem_init", Modelled),
    ("sem_post", Modelled),
    ("sem_timedwait", Modelled),
    ("sem_trywait", Modelled),
    ("sem_wait", Modelled),
    ("setbuf", SetBuffer),
    ("sigaction", Modelled),
    ("sigaddset", Modelled),
    ("sigdelset", Modelled),
    ("sigemptyset", Modelled),
    ("sigfillset", Modelled),
    ("sigismember", Modelled),
    ("signal", Modelled),
    ("sigprocmask", Modelled),
    ("sleep", Modelled),
    ("snprintf", PrintText { format: 2 }),
    ("sprintf", PrintText { format: 1 }),
    ("srand", Modelled),
    ("srandom", Modelled),
    ("sscanf", Scan),
    ("stpcpy", Modelled),
    ("stpncpy", Modelled),
    ("strcasecmp", Modelled),
    ("strcat", Modelled),
    ("strchr", Modelled),
    ("strchrnul", Modelled),
    ("strcmp", Modelled),
    ("strcpy", Modelled),
    ("strcspn", Modelled),
    ("strdup", Modelled),
    ("strerror", Modelled),
    ("strerror_r", Modelled),
    ("strlen", Modelled),
    ("strncasecmp", Modelled),
    ("strncat", Modelled),
    ("strncmp", Modelled),
    ("strncpy", Modelled),
    ("strndup", Modelled),
    ("strnlen", Modelled),
    ("strpbrk", Modelled),
    ("strrchr", Modelled),
    ("strsep", Modelled),
    ("strspn", Modelled),
    ("strstr", Modelled),
    ("strtok", Modelled),
    ("strtok_r", Modelled),
    ("strtol", Modelled),
    ("strtoll", Modelled),
    ("strtoul", Modelled),
    ("strtoull", Modelled),
    ("syscall", Modelled),
    ("sysconf", Modelled),
    ("time", Modelled),
    ("tolower", Modelled),
    ("toupper", Modelled),
    ("usleep", Modelled),
    ("vfprintf", PrintList { format: 1 }),
    ("vprintf", PrintList { format: 0 }),
    ("vsnprintf", PrintTextList { format: 2 }),
    ("vsprintf", PrintTextList { format: 1 }),
    ("write", Modelled),
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
