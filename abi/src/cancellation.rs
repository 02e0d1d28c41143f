//! Cancellation points: the library functions that act upon a request to cancel their thread (`pthread_cancel`).

/// When a library function acts upon a request to end its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CancellationPoint {
    /// Upon one that is there when it is called.
    Required,
    /// The same, and may tell before where its argument at this position points how long it would have gone on.
    Sleep {
        /// The position of the argument.
        rest: u32,
    },
    /// It may act upon one that is there when it is called.
    Optional,
    /// The same, and upon one that comes while it has given up a mutex, which it holds again by then.
    Wait,
    /// As optional, and upon one that comes when it has done a part of its work, or all.
    Stream,
}

/// The kind of cancellation point that `name` is; `None` for other functions.
///
/// ```
/// use abi::cancellation::{CancellationPoint, cancellation_point};
/// assert_eq!(cancellation_point("sem_wait"), Some(CancellationPoint::Required));
/// assert_eq!(cancellation_point("pthread_mutex_lock"), None);
/// ```
pub fn cancellation_point(name: &str) -> Option<CancellationPoint> {
    let known = TABLE.iter().find(|(_, names)| names.contains(&name));
    known.map(|(kind, _)| *kind)
}

/// All names of cancellation points.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().flat_map(|(_, names)| names.iter().copied())
}

/// Those that POSIX demands or allows. What it demands is optional here where the C library does not always act: it looks at other
/// arguments before, or returns at once. `getrandom` is a point of glibc.
const TABLE: &[(CancellationPoint, &[&str])] = &[
    (
        CancellationPoint::Required,
        &[
            "close",
            "open",
            "poll",
            "pthread_testcancel",
            "read",
            "sem_wait",
            "sleep",
            "usleep",
            "write",
        ],
    ),
    (CancellationPoint::Sleep { rest: 1 }, &["nanosleep"]),
    (CancellationPoint::Sleep { rest: 3 }, &["clock_nanosleep"]),
    (
        CancellationPoint::Optional,
        &[
            "__xpg_strerror_r",
            "getrandom",
            "pthread_clockjoin_np",
            "pthread_join",
            "pthread_rwlock_clockrdlock",
            "pthread_rwlock_clockwrlock",
            "pthread_rwlock_rdlock",
            "pthread_rwlock_timedrdlock",
            "pthread_rwlock_timedwrlock",
            "pthread_rwlock_wrlock",
            "pthread_timedjoin_np",
            "sem_clockwait",
            "sem_timedwait",
            "strerror",
            "strerror_r",
        ],
    ),
    (
        CancellationPoint::Wait,
        &[
            "pthread_cond_clockwait",
            "pthread_cond_timedwait",
            "pthread_cond_wait",
        ],
    ),
    (
        CancellationPoint::Stream,
        &[
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
            "perror",
            "printf",
            "putc",
            "putchar",
            "puts",
            "scanf",
            "vfprintf",
            "vprintf",
        ],
    ),
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
