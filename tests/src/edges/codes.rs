//! Results and errno of calls with valid and invalid arguments.

use super::part::Part;
use crate::numbers::Numbers;

/// A call whose result POSIX fixes, after what is needed for it.
type Call = (&'static str, &'static str, i32);

/// Attributes and numbers.
const ATTRIBUTES: [Call; 13] = [
    (
        THREAD,
        "pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED)",
        0,
    ),
    (THREAD, "pthread_attr_setdetachstate(&a, 7)", 22),
    (THREAD, "pthread_attr_setstacksize(&a, 1 << 20)", 0),
    (THREAD, "pthread_attr_setstacksize(&a, 16)", 22),
    (THREAD, "pthread_attr_destroy(&a)", 0),
    ("", "pthread_setconcurrency(-1)", 22),
    ("", "pthread_setconcurrency(3)", 0),
    ("pthread_setconcurrency(4);", "pthread_getconcurrency()", 4),
    (
        "pthread_mutexattr_t a;\n    pthread_mutexattr_init(&a);",
        "pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE)",
        0,
    ),
    ("pthread_barrier_t b;", "pthread_barrier_init(&b, 0, 0)", 22),
    ("pthread_barrier_t b;", "pthread_barrier_init(&b, 0, 3)", 0),
    ("", "pthread_equal(pthread_self(), pthread_self()) != 0", 1),
    ("pthread_rwlockattr_t a;", "pthread_rwlockattr_init(&a)", 0),
];

const THREAD: &str = "pthread_attr_t a;\n    pthread_attr_init(&a);";

/// Arguments that POSIX lets a library reject; the GNU one does.
const CHECKED: [Call; 7] = [
    (THREAD, "pthread_attr_setscope(&a, 99)", 22),
    (
        THREAD,
        "pthread_attr_setscope(&a, PTHREAD_SCOPE_PROCESS)",
        95,
    ),
    (THREAD, "pthread_attr_setinheritsched(&a, 99)", 22),
    (THREAD, "pthread_attr_setschedpolicy(&a, 99)", 22),
    (
        "pthread_mutexattr_t a;\n    pthread_mutexattr_init(&a);",
        "pthread_mutexattr_settype(&a, 77)",
        22,
    ),
    (
        "pthread_key_t k;\n    pthread_key_create(&k, 0);\n    pthread_key_delete(k);",
        "pthread_key_delete(k)",
        22,
    ),
    (
        "pthread_key_t k;\n    pthread_key_create(&k, 0);\n    pthread_key_delete(k);",
        "pthread_setspecific(k, &one)",
        22,
    ),
];

/// Calls that fail with -1 and an error number in errno.
const ERRORS: [Call; 4] = [
    ("sem_t s;", "sem_init(&s, 0, 0x80000000u)", 22),
    ("sem_t s;\n    sem_init(&s, 0, 0);", "sem_trywait(&s)", 11),
    (
        "sem_t s;\n    sem_init(&s, 0, 0x7fffffffu);",
        "sem_post(&s)",
        75,
    ),
    (
        "sem_t s;\n    struct timespec t = {0, 1000000000};\n    sem_init(&s, 0, 0);",
        "sem_timedwait(&s, &t)",
        22,
    ),
];

/// A number that is not `right`.
fn other(numbers: &mut Numbers, right: i32) -> i32 {
    let candidates = [0, 1, 11, 16, 22];
    let wrong: Vec<i32> = candidates
        .into_iter()
        .filter(|code| *code != right)
        .collect();
    numbers.pick(&wrong)
}

fn asserted(numbers: &mut Numbers, broken: bool, (before, call, result): Call) -> Part {
    let expected = if broken {
        other(numbers, result)
    } else {
        result
    };
    Part::new(
        broken,
        "",
        &format!("    {before}\n    int result = {call};\n    assert(result == {expected});\n"),
    )
}

/// A result that POSIX fixes, or another one.
pub fn fixed(numbers: &mut Numbers, broken: bool) -> Part {
    let call = numbers.pick(&ATTRIBUTES);
    asserted(numbers, broken, call)
}

/// A result that POSIX leaves to the library, whose answer a native run tells.
pub fn checked(numbers: &mut Numbers, broken: bool) -> Part {
    let call = numbers.pick(&CHECKED);
    let Part {
        declarations, body, ..
    } = asserted(numbers, broken, call);
    Part::open(&declarations, &body)
}

/// The error number of a call that fails, or another one.
pub fn error_number(numbers: &mut Numbers, broken: bool) -> Part {
    let (before, call, error) = numbers.pick(&ERRORS);
    let in_errno = numbers.chance(60);
    let wrong = other(numbers, error);
    let (result, error) = match (broken, in_errno) {
        (false, _) => (-1, error),
        (true, true) => (-1, wrong),
        (true, false) => (0, error),
    };
    let body = format!(
        "    {before}\n    int result = {call};\n    int error = errno;\n    assert(result == {result});\n    assert(error == {error});\n"
    );
    Part::new(broken, "", &body)
}

/// A key, or an attribute object, after its end.
pub fn used_after_end(numbers: &mut Numbers, broken: bool) -> Part {
    let (before, end, call) = numbers.pick(&[
        (
            "pthread_key_t k;\n    pthread_key_create(&k, 0);",
            "pthread_key_delete(k);",
            "pthread_getspecific(k) == 0",
        ),
        (
            THREAD,
            "pthread_attr_destroy(&a);",
            "pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED) == 0",
        ),
        (
            "pthread_mutexattr_t a;\n    pthread_mutexattr_init(&a);",
            "pthread_mutexattr_destroy(&a);",
            "pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE) == 0",
        ),
    ]);
    let body = if broken {
        format!("    {before}\n    {end}\n    assert({call});\n")
    } else {
        format!("    {before}\n    assert({call});\n    {end}\n")
    };
    Part::new(broken, "", &body)
}

/// Values of keys: each thread has its own, and a new key has none, also if it has the number of a deleted one.
pub fn keys(numbers: &mut Numbers, broken: bool) -> Part {
    let again = "    pthread_key_t k, l;\n    assert(pthread_key_create(&k, 0) == 0);\n    assert(pthread_setspecific(k, &one) == 0);\n    assert(pthread_key_delete(k) == 0);\n    assert(pthread_key_create(&l, 0) == 0);\n    assert(pthread_getspecific(l) == $VALUE);\n";
    let numbered = "    pthread_key_t k, l;\n    pthread_key_create(&k, 0);\n    $BETWEEN\n    pthread_key_create(&l, 0);\n    assert(k != l);\n";
    let threads = "    pthread_t thread;\n    pthread_key_create(&key@, 0);\n    pthread_setspecific(key@, &one);\n    pthread_create(&thread, 0, reader@, 0);\n    pthread_join(thread, 0);\n    assert(pthread_getspecific(key@) == $OWN);\n";
    let reader = "static pthread_key_t key@;\nstatic void *reader@(void *unused) {\n    assert(pthread_getspecific(key@) == 0);\n    pthread_setspecific(key@, unused);\n    return 0;\n}";
    let (declarations, body) = numbers.pick(&[("", again), ("", numbered), (reader, threads)]);
    Part::new(broken, declarations, body)
        .with("VALUE", if broken { "&one" } else { "0" })
        .with("OWN", if broken { "0" } else { "&one" })
        .with(
            "BETWEEN",
            if broken { "pthread_key_delete(k);" } else { "" },
        )
}
