//! Threads, locks, conditions, barriers and atomic exchanges.

use super::{fails, holds};

#[test]
fn read_write_locks_exclude_writers() {
    let threads = "pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER; int data, seen;\n\
        void *writer(void *p) { pthread_rwlock_wrlock(&lock); data = 1; data = 2; pthread_rwlock_unlock(&lock); return 0; }";
    let main = "pthread_t t; pthread_create(&t, 0, writer, 0); pthread_rwlock_rdlock(&lock); seen = data; pthread_rwlock_unlock(&lock); pthread_join(t, 0);";
    holds(threads, &format!("{main} PROPERTY(seen != 1);"));
    fails(threads, &format!("{main} PROPERTY(seen != 2);"));
    fails(threads, &format!("{main} PROPERTY(seen != 0);"));
}

#[test]
fn mutexes_semaphores_and_spin_locks_exclude() {
    let increments = |declarations: &str, begin: &str, enter: &str, leave: &str| {
        holds(
            &format!(
                "int data; {declarations} void *add(void *p) {{ {enter}; data++; {leave}; return 0; }}"
            ),
            &format!(
                "{begin}; pthread_t t; pthread_create(&t, 0, add, 0); add(0); pthread_join(t, 0); PROPERTY(data == 2);"
            ),
        );
    };
    increments(
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
        "",
        "pthread_mutex_lock(&m)",
        "pthread_mutex_unlock(&m)",
    );
    increments(
        "pthread_mutex_t m;",
        "pthread_mutex_init(&m, 0)",
        "while (pthread_mutex_trylock(&m))",
        "pthread_mutex_unlock(&m)",
    );
    increments(
        "pthread_spinlock_t m;",
        "pthread_spin_init(&m, 0)",
        "pthread_spin_lock(&m)",
        "pthread_spin_unlock(&m)",
    );
    holds(
        "int data; __attribute__((noinline)) void __VERIFIER_atomic_add(void) { data++; } void *add(void *p) { __VERIFIER_atomic_add(); return 0; }",
        "pthread_t t; pthread_create(&t, 0, add, 0); add(0); pthread_join(t, 0); PROPERTY(data == 2);",
    );
    fails(
        "int data; void *add(void *p) { data++; return 0; }",
        "pthread_t t; pthread_create(&t, 0, add, 0); add(0); pthread_join(t, 0); PROPERTY(data == 2);",
    );
}

#[test]
fn conditions_barriers_and_once() {
    let waiting = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready, data;\n\
        void *giver(void *p) { data = 5; pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0; }";
    holds(
        waiting,
        "pthread_t t; pthread_create(&t, 0, giver, 0); pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); PROPERTY(data == 5);",
    );
    let barrier = "pthread_barrier_t b; int data; void *other(void *p) { data = 5; pthread_barrier_wait(&b); return 0; }";
    holds(
        barrier,
        "pthread_t t; pthread_barrier_init(&b, 0, 2); pthread_create(&t, 0, other, 0); pthread_barrier_wait(&b); PROPERTY(data == 5);",
    );
    let once = "pthread_once_t o = PTHREAD_ONCE_INIT; int data; void first(void) { data++; } void *other(void *p) { pthread_once(&o, first); return 0; }";
    holds(
        once,
        "pthread_t t; pthread_create(&t, 0, other, 0); pthread_once(&o, first); PROPERTY(data == 1);",
    );
    let semaphore = "sem_t s; int data; void *other(void *p) { data = 5; sem_post(&s); return 0; }";
    holds(
        semaphore,
        "pthread_t t; sem_init(&s, 0, 0); pthread_create(&t, 0, other, 0); sem_wait(&s); PROPERTY(data == 5);",
    );
}

/// A held mutex of this kind and an empty semaphore, both waited for until `limit`.
const TIMED: &str = "#include <time.h>\n#include <errno.h>\n#include <limits.h>\nstruct timespec limit = {1, 0}, wrong = {1, 1000000000};\n\
    static int timed(int kind, struct timespec *limit) { pthread_mutexattr_t a; pthread_mutex_t m; pthread_mutexattr_init(&a);\
    pthread_mutexattr_settype(&a, kind); pthread_mutex_init(&m, &a); pthread_mutex_lock(&m); return pthread_mutex_timedlock(&m, limit); }\n\
    static int taken(unsigned value, struct timespec *limit) { sem_t s; sem_init(&s, 0, value); errno = 0; return sem_timedwait(&s, limit) ? errno : 0; }";

#[test]
fn timed_waits_end_early_only_where_they_wait() {
    holds(
        TIMED,
        "int code = timed(PTHREAD_MUTEX_RECURSIVE, &limit); PROPERTY(code == 0);",
    );
    holds(
        TIMED,
        "int code = timed(PTHREAD_MUTEX_ERRORCHECK, &limit); PROPERTY(code == EDEADLK);",
    );
    holds(
        TIMED,
        "int code = timed(PTHREAD_MUTEX_NORMAL, &limit); PROPERTY(code == ETIMEDOUT);",
    );
    holds(
        TIMED,
        "int code = timed(PTHREAD_MUTEX_NORMAL, &wrong); PROPERTY(code == EINVAL);",
    );
    holds(
        TIMED,
        "int code = taken(1, &wrong); PROPERTY(code == 0 || code == EINVAL);",
    );
    fails(TIMED, "int code = taken(1, &wrong); PROPERTY(code == 0);");
    fails(
        TIMED,
        "int code = taken(1, &wrong); PROPERTY(code == EINVAL);",
    );
    holds(
        TIMED,
        "int code = taken(0, &limit); PROPERTY(code == ETIMEDOUT);",
    );
    holds(
        TIMED,
        "int code = taken(0, &wrong); PROPERTY(code == EINVAL);",
    );
    let holder = format!(
        "{TIMED} pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; void *other(void *p) {{ pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }}"
    );
    let contend = "pthread_t t; pthread_create(&t, 0, other, 0); int code = pthread_mutex_timedlock(&m, &limit);";
    fails(&holder, &format!("{contend} PROPERTY(code == 0);"));
    fails(&holder, &format!("{contend} PROPERTY(code == ETIMEDOUT);"));
    holds(
        &holder,
        &format!("{contend} PROPERTY(code == 0 || code == ETIMEDOUT);"),
    );
    let wait = "pthread_cond_t c = PTHREAD_COND_INITIALIZER; pthread_mutex_lock(&m); int code = pthread_cond_timedwait(&c, &m,";
    holds(
        &holder,
        &format!("{wait} &wrong); PROPERTY(code == EINVAL);"),
    );
    fails(&holder, &format!("{wait} &limit); PROPERTY(code == 0);"));
}

#[test]
fn weak_exchanges_may_fail_spuriously() {
    let variables = "int x = 1, expected = 1;";
    let exchange = |weak: &str| {
        format!(
            "int done = __atomic_compare_exchange_n(&x, &expected, 2, {weak}, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);"
        )
    };
    let strong = exchange("0");
    holds(variables, &format!("{strong} PROPERTY(done && x == 2);"));
    let weak = exchange("1");
    fails(variables, &format!("{weak} PROPERTY(done);"));
    fails(variables, &format!("{weak} PROPERTY(!done);"));
    holds(
        variables,
        &format!("{weak} PROPERTY(x == 1 + done && expected == 1);"),
    );
}

#[test]
fn semaphores_have_a_greatest_value() {
    holds(
        TIMED,
        "sem_t s; int code = sem_init(&s, 0, 1u + SEM_VALUE_MAX); PROPERTY(code == -1 && errno == EINVAL);",
    );
    holds(
        TIMED,
        "sem_t s; int code = sem_init(&s, 0, SEM_VALUE_MAX); code += sem_post(&s); PROPERTY(code == -1 && errno == EOVERFLOW);",
    );
}

#[test]
fn threads_have_their_own_variables_and_results() {
    let own = "_Thread_local int mine = 3; pthread_key_t key; int seen; void *other(void *p) { mine++; seen = mine; pthread_setspecific(key, p); return (void *)(long)(mine + *(int *)p); }";
    holds(
        own,
        "pthread_t t; void *r; int v = 10; pthread_key_create(&key, 0); pthread_create(&t, 0, other, &v); pthread_join(t, &r); PROPERTY(mine == 3 && seen == 4 && (long)r == 14 && pthread_getspecific(key) == 0);",
    );
}
