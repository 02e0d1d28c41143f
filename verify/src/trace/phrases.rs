//! What calls of library functions are called in a trace.

/// How a call of a library function is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phrase {
    /// A wait for a condition variable: it ends with a wake-up.
    Wait,
    /// It wakes one thread that waits for a condition variable.
    Signal,
    /// It wakes all threads that wait for a condition variable.
    Broadcast,
    /// Does something to an object: in the third person, and after "fails to".
    Verb(&'static str, &'static str),
    /// It allocates another object in the place of one, with others meanwhile.
    Resize,
    /// By its name, and what it does to objects of the library does not matter.
    Name,
    /// By its name and by what it reads and writes.
    Accesses,
    /// It is none that the program calls, and what it reads and writes does not matter.
    Internal,
}

/// Functions about threads and what they synchronise with begin with these.
const OF_THREADS: [&str; 8] = [
    "pthread_",
    "sem_",
    "mtx_",
    "cnd_",
    "thrd_",
    "tss_",
    "call_once",
    "sched_",
];

/// How a call of a function is told.
pub(super) fn phrase(function: &str) -> Phrase {
    match function {
        "pthread_cond_wait"
        | "pthread_cond_timedwait"
        | "pthread_cond_clockwait"
        | "cnd_wait"
        | "cnd_timedwait" => Phrase::Wait,
        "pthread_cond_signal" | "cnd_signal" => Phrase::Signal,
        "pthread_cond_broadcast" | "cnd_broadcast" => Phrase::Broadcast,
        "realloc" | "reallocarray" => Phrase::Resize,
        "pthread_barrier_wait" => Phrase::Verb("passes", "pass"),
        "sem_wait" | "sem_trywait" | "sem_timedwait" | "sem_clockwait" => {
            Phrase::Verb("decrements", "decrement")
        }
        "sem_post" => Phrase::Verb("increments", "increment"),
        "pthread_rwlock_rdlock"
        | "pthread_rwlock_tryrdlock"
        | "pthread_rwlock_timedrdlock"
        | "pthread_rwlock_clockrdlock" => Phrase::Verb("read-locks", "read-lock"),
        "pthread_rwlock_wrlock"
        | "pthread_rwlock_trywrlock"
        | "pthread_rwlock_timedwrlock"
        | "pthread_rwlock_clockwrlock" => Phrase::Verb("write-locks", "write-lock"),
        "pthread_rwlock_unlock" | "pthread_spin_unlock" => Phrase::Verb("unlocks", "unlock"),
        "pthread_spin_lock" | "pthread_spin_trylock" => Phrase::Verb("locks", "lock"),
        "pthread_once" | "call_once" => Phrase::Verb("passes", "pass"),
        _ if is_internal(function) => Phrase::Internal,
        _ if !OF_THREADS.iter().any(|prefix| function.starts_with(prefix)) => Phrase::Accesses,
        _ if function.ends_with("_init") => Phrase::Verb("initialises", "initialise"),
        _ if function.ends_with("_destroy") => Phrase::Verb("destroys", "destroy"),
        _ => Phrase::Name,
    }
}

/// Whether a function of the library is none that programs call.
pub(super) fn is_internal(function: &str) -> bool {
    ["__mazurka", "mazurka."]
        .iter()
        .any(|prefix| function.starts_with(prefix))
}

/// Whether a function returns without having done what its name says, if that is not possible at once or in time.
pub(super) fn may_give_up(function: &str) -> bool {
    ["try", "timed", "clock"]
        .iter()
        .any(|part| function.contains(part))
}

#[cfg(test)]
mod tests {
    use abi::functions::{Effect, with_effect};

    use super::*;

    #[test]
    fn functions_of_the_table_are_in_the_library() {
        let known: Vec<&str> = with_effect(Effect::Modelled)
            .chain(with_effect(Effect::InPlace))
            .collect();
        for function in [
            "pthread_cond_wait",
            "cnd_timedwait",
            "pthread_cond_signal",
            "cnd_broadcast",
            "pthread_barrier_wait",
            "sem_clockwait",
            "sem_post",
            "pthread_rwlock_clockrdlock",
            "pthread_rwlock_timedwrlock",
            "pthread_spin_trylock",
            "call_once",
        ] {
            assert!(known.contains(&function), "{function}");
            assert_ne!(phrase(function), Phrase::Name, "{function}");
        }
        assert_eq!(phrase("memcpy"), Phrase::Accesses);
        assert_eq!(phrase("pthread_setspecific"), Phrase::Name);
    }
}
