//! Synchronisation objects that end while other threads use them, or just after.

use super::part::Part;
use crate::numbers::Numbers;

/// A lock is destroyed while another thread holds it, or after that thread has ended.
pub fn destroyed_while_held(numbers: &mut Numbers, broken: bool) -> Part {
    let (kind, initialise, lock, unlock, destroy) = numbers.pick(&[
        (
            "pthread_rwlock_t",
            "pthread_rwlock_init(&lock@, 0)",
            "pthread_rwlock_rdlock",
            "pthread_rwlock_unlock",
            "pthread_rwlock_destroy",
        ),
        (
            "pthread_rwlock_t",
            "pthread_rwlock_init(&lock@, 0)",
            "pthread_rwlock_wrlock",
            "pthread_rwlock_unlock",
            "pthread_rwlock_destroy",
        ),
        (
            "pthread_spinlock_t",
            "pthread_spin_init(&lock@, 0)",
            "pthread_spin_lock",
            "pthread_spin_unlock",
            "pthread_spin_destroy",
        ),
    ]);
    let declarations = "static $KIND lock@;\nstatic sem_t held@, go@;\n\
        static void *holder@(void *unused) {\n    $LOCK(&lock@);\n    sem_post(&held@);\n    sem_wait(&go@);\n    $RELEASE(&lock@);\n    return 0;\n}";
    let start = "    pthread_t thread;\n    sem_init(&held@, 0, 0);\n    sem_init(&go@, 0, 0);\n    $INITIALISE;\n    pthread_create(&thread, 0, holder@, 0);\n    sem_wait(&held@);\n";
    let end = if broken {
        "    $DESTROY(&lock@);\n    sem_post(&go@);\n    pthread_join(thread, 0);\n"
    } else {
        "    sem_post(&go@);\n    pthread_join(thread, 0);\n    assert($DESTROY(&lock@) == 0);\n"
    };
    Part::new(broken, declarations, &format!("{start}{end}"))
        .with("KIND", kind)
        .with("INITIALISE", initialise)
        .with("LOCK", lock)
        .with("RELEASE", unlock)
        .with("DESTROY", destroy)
}

/// A barrier ends, and its memory too, right after the wait of the last of two threads; broken, without any wait.
pub fn barrier_ends(numbers: &mut Numbers, broken: bool) -> Part {
    let declarations = "static pthread_barrier_t *barrier@;\n\
        static void *other@(void *unused) {\n    int last = pthread_barrier_wait(barrier@);\n    assert(last == 0 || last == -1);\n    $OTHER\n    return 0;\n}";
    let body = "    pthread_t thread;\n    barrier@ = malloc(sizeof *barrier@);\n    pthread_barrier_init(barrier@, 0, 2);\n    pthread_create(&thread, 0, other@, 0);\n    $WAIT\n    $MAIN\n    $JOIN\n";
    let end = "pthread_barrier_destroy(barrier@);\n    free(barrier@);";
    let last_ends = format!(
        "if (last == -1) {{\n        {}\n    }}",
        end.replace('\n', "\n    ")
    );
    let (other, main) = match (broken, numbers.below(2)) {
        (false, 0) => (last_ends.clone(), last_ends),
        (false, _) | (true, _) => (String::new(), end.to_owned()),
    };
    let (wait, join) = if broken {
        ("int last = 0;", "(void)last;")
    } else {
        (
            "int last = pthread_barrier_wait(barrier@);",
            "(void)last;\n    pthread_join(thread, 0);",
        )
    };
    Part::new(broken, declarations, body)
        .with("OTHER", other)
        .with("WAIT", wait)
        .with("MAIN", main)
        .with("JOIN", join)
}

/// A condition variable is destroyed right after its broadcast; broken, before what is waited for holds.
pub fn condition_ends(_: &mut Numbers, broken: bool) -> Part {
    let declarations = "static pthread_mutex_t mutex@ = PTHREAD_MUTEX_INITIALIZER;\nstatic pthread_cond_t condition@ = PTHREAD_COND_INITIALIZER;\nstatic int reached@;\n\
        static void *waiter@(void *unused) {\n    pthread_mutex_lock(&mutex@);\n    while (!reached@)\n        assert(pthread_cond_wait(&condition@, &mutex@) == 0);\n    pthread_mutex_unlock(&mutex@);\n    return 0;\n}";
    let body = if broken {
        "    pthread_t thread;\n    pthread_create(&thread, 0, waiter@, 0);\n    pthread_cond_destroy(&condition@);\n"
    } else {
        "    pthread_t thread;\n    pthread_create(&thread, 0, waiter@, 0);\n    pthread_mutex_lock(&mutex@);\n    reached@ = 1;\n    pthread_cond_broadcast(&condition@);\n    pthread_mutex_unlock(&mutex@);\n    assert(pthread_cond_destroy(&condition@) == 0);\n    pthread_join(thread, 0);\n"
    };
    Part::new(broken, declarations, body)
}

/// A semaphore is destroyed by the thread that waited for it; broken, by the one that posts.
pub fn semaphore_ends(_: &mut Numbers, broken: bool) -> Part {
    let declarations = "static sem_t *semaphore@;\n\
        static void *poster@(void *unused) {\n    sem_post(semaphore@);\n    $POSTER\n    return 0;\n}";
    let body = "    pthread_t thread;\n    semaphore@ = malloc(sizeof *semaphore@);\n    sem_init(semaphore@, 0, 0);\n    pthread_create(&thread, 0, poster@, 0);\n    assert(sem_wait(semaphore@) == 0);\n    $WAITER\n    pthread_join(thread, 0);\n";
    let end = "sem_destroy(semaphore@);\n    free(semaphore@);";
    let (poster, waiter) = if broken { (end, "") } else { ("", end) };
    Part::new(broken, declarations, body)
        .with("POSTER", poster)
        .with("WAITER", waiter)
}

/// The last owner of an object frees it with the mutex in it; broken, before it unlocks the mutex.
pub fn last_owner(numbers: &mut Numbers, broken: bool) -> Part {
    let declarations = "struct owned@ {\n    pthread_mutex_t mutex;\n    int owners;\n};\nstatic struct owned@ *shared@;\n\
        static void *drop@(void *unused) {\n    struct owned@ *owned = shared@;\n    pthread_mutex_lock(&owned->mutex);\n    int last = --owned->owners == 0;\n    $FIRST\n    $SECOND\n    return 0;\n}";
    let unlock = "pthread_mutex_unlock(&owned->mutex);";
    let free = numbers.pick(&[
        "if (last)\n        free(owned);",
        "if (last) {\n        pthread_mutex_destroy(&owned->mutex);\n        free(owned);\n    }",
    ]);
    let (first, second) = if broken {
        (free, unlock)
    } else {
        (unlock, free)
    };
    let body = "    pthread_t thread;\n    shared@ = malloc(sizeof *shared@);\n    pthread_mutex_init(&shared@->mutex, 0);\n    shared@->owners = 2;\n    pthread_create(&thread, 0, drop@, 0);\n    drop@(0);\n    pthread_join(thread, 0);\n";
    Part::new(broken, declarations, body)
        .with("FIRST", first)
        .with("SECOND", second)
}

/// What calls on a mutex return while another thread holds it.
pub fn held_by_another(numbers: &mut Numbers, broken: bool) -> Part {
    let declarations = "static pthread_mutex_t mutex@;\n\
        static void *other@(void *unused) {\n    assert($CALL(&mutex@) == $RESULT);\n    return 0;\n}";
    let body = "    pthread_t thread;\n    initialise_mutex(&mutex@, $TYPE);\n    pthread_mutex_lock(&mutex@);\n    pthread_create(&thread, 0, other@, 0);\n    pthread_join(thread, 0);\n    assert(pthread_mutex_unlock(&mutex@) == 0);\n";
    let (call, result) =
        numbers.pick(&[("pthread_mutex_trylock", 16), ("pthread_mutex_unlock", 1)]);
    let kind = numbers.pick(&["PTHREAD_MUTEX_ERRORCHECK", "PTHREAD_MUTEX_RECURSIVE"]);
    Part::new(broken, declarations, body)
        .with("CALL", call)
        .with("RESULT", if broken { 0 } else { result })
        .with("TYPE", kind)
}

/// Two threads come to one initialisation: it runs once, by either of them, before both go on.
pub fn once(numbers: &mut Numbers, broken: bool) -> Part {
    let declarations = "static pthread_once_t control@ = PTHREAD_ONCE_INIT;\nstatic int runs@;\nstatic pthread_t runner@;\n\
        static void initialise@(void) {\n    runs@++;\n    runner@ = pthread_self();\n}\n\
        static void *other@(void *unused) {\n    assert(pthread_once(&control@, initialise@) == 0);\n    assert(runs@ == 1);\n    return 0;\n}";
    let body = "    pthread_t thread;\n    pthread_create(&thread, 0, other@, 0);\n    assert(pthread_once(&control@, initialise@) == 0);\n    assert($CONDITION);\n    pthread_join(thread, 0);\n";
    let condition = if broken {
        numbers.pick(&[
            "pthread_equal(runner@, pthread_self())",
            "!pthread_equal(runner@, pthread_self())",
            "runs@ == 2",
        ])
    } else {
        "runs@ == 1"
    };
    Part::new(broken, declarations, body).with("CONDITION", condition)
}

/// A lock is written over, copied or initialised by another thread while it is held, or after its end.
pub fn overwritten(numbers: &mut Numbers, broken: bool) -> Part {
    let (prefix, operation) = numbers.pick(&[
        ("mutex", "lock"),
        ("rwlock", "rdlock"),
        ("rwlock", "wrlock"),
        ("spin", "lock"),
    ]);
    let kind = match prefix {
        "spin" => "pthread_spinlock_t".to_owned(),
        _ => format!("pthread_{prefix}_t"),
    };
    let place = numbers.pick(&[
        "static $KIND memory;\n    $KIND *lock = &memory;",
        "$KIND memory;\n    $KIND *lock = &memory;",
        "$KIND *lock = malloc(sizeof *lock);",
    ]);
    let declarations = "static void *make@(void *memory) {\n    $KIND *lock = memory;\n    pthread_$PREFIX_init(lock, 0);\n    return 0;\n}\n\
        static void make_apart@($KIND *lock) {\n    pthread_t thread;\n    pthread_create(&thread, 0, make@, (void *)lock);\n    pthread_join(thread, 0);\n}";
    let end = "pthread_$PREFIX_unlock(lock);\n    pthread_$PREFIX_destroy(lock);\n    ";
    let (held, change) = match numbers.below(3) {
        0 => (
            end,
            "memset((void *)lock, 0, sizeof *lock);\n    make@((void *)lock);",
        ),
        1 => (end, "make_apart@(lock);"),
        _ => (
            "",
            "{\n        $KIND copy = *lock;\n        pthread_$PREFIX_unlock($COPY);\n    }\n    pthread_$PREFIX_destroy(lock);\n    make@((void *)lock);",
        ),
    };
    let body = "    $PLACE\n    make_apart@(lock);\n    pthread_$PREFIX_$OPERATION(lock);\n    $HELD$CHANGE\n    pthread_$PREFIX_$OPERATION(lock);\n    pthread_$PREFIX_unlock(lock);\n";
    Part::new(broken, declarations, body)
        .with("PLACE", place)
        .with("HELD", if broken { "" } else { held })
        .with("CHANGE", change)
        .with("COPY", if broken { "&copy" } else { "lock" })
        .with("PREFIX", prefix)
        .with("OPERATION", operation)
        .with("KIND", kind)
}
