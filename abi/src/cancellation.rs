//! Cancellation points: the library functions that act upon a request to cancel their thread (`pthread_cancel`).

/// When a library function acts upon a request that is there when it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CancellationPoint {
    /// Always.
    Required,
    /// Always, and maybe also upon one that comes while it has given up a mutex, which it holds again by then.
    Wait,
    /// The C library may do so or not.
    Optional,
}

/// The kind of cancellation point that `name` is; `None` for other functions.
///
/// ```
/// use abi::cancellation::{CancellationPoint, cancellation_point};
/// assert_eq!(cancellation_point("pthread_join"), Some(CancellationPoint::Required));
/// assert_eq!(cancellation_point("pthread_mutex_lock"), None);
/// ```
pub fn cancellation_point(name: &str) -> Option<CancellationPoint> {
    let kinds = [
        (REQUIRED, CancellationPoint::Required),
        (WAITS, CancellationPoint::Wait),
        (OPTIONAL, CancellationPoint::Optional),
    ];
    let mut known = kinds.into_iter();
    known.find_map(|(names, kind)| names.contains(&name).then_some(kind))
}

/// All names of cancellation points.
pub fn names() -> impl Iterator<Item = &'static str> {
    [REQUIRED, WAITS, OPTIONAL].into_iter().flatten().copied()
}

/// Those of POSIX, and those of glibc that wait like them.
const REQUIRED: &[&str] = &[
    "clock_nanosleep",
    "close",
    "nanosleep",
    "open",
    "poll",
    "pthread_clockjoin_np",
    "pthread_join",
    "pthread_testcancel",
    "pthread_timedjoin_np",
    "read",
    "sem_clockwait",
    "sem_timedwait",
    "sem_wait",
    "sleep",
    "usleep",
    "write",
];

/// Waits for a condition variable.
const WAITS: &[&str] = &[
    "pthread_cond_clockwait",
    "pthread_cond_timedwait",
    "pthread_cond_wait",
];

/// Those that POSIX allows, and `getrandom`, which is one in glibc.
const OPTIONAL: &[&str] = &[
    "_IO_getc",
    "_IO_putc",
    "__isoc23_fscanf",
    "__isoc23_scanf",
    "__isoc99_fscanf",
    "__isoc99_scanf",
    "dprintf",
    "fflush",
    "fgetc",
    "fgets",
    "fprintf",
    "fputc",
    "fputs",
    "fputs_unlocked",
    "fscanf",
    "fwrite",
    "getc",
    "getchar",
    "getrandom",
    "perror",
    "printf",
    "pthread_rwlock_clockrdlock",
    "pthread_rwlock_clockwrlock",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_timedwrlock",
    "pthread_rwlock_wrlock",
    "putc",
    "putchar",
    "puts",
    "scanf",
    "strerror",
    "strerror_r",
    "__xpg_strerror_r",
    "vfprintf",
    "vprintf",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::effect;

    #[test]
    fn every_point_is_a_known_function_once() {
        let names: Vec<&str> = names().collect();
        for (index, name) in names.iter().enumerate() {
            assert!(effect(name).is_some(), "{name}");
            assert!(!names[..index].contains(name), "{name}");
        }
    }
}
