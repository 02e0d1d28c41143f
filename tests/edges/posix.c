/* POSIX as unhelpful as it may be, linked with `-Wl,--wrap=` between a program and the C library.

   It lets other threads run at random before calls and accesses, stores the handle of a new thread only after that thread has
   started, wakes up spuriously from condition variables, and puts heap, stacks and globals at other places. And it aborts where
   POSIX leaves the meaning of a call open but the C library goes on in silence. */
#define _GNU_SOURCE
#include <alloca.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Bytes that move the globals of the program. */
#ifndef PADDING
#define PADDING 8
#endif
char initialised_padding[PADDING] = {1};
char zero_padding[PADDING];

/* The real function `name` and the declaration of its wrapper. */
#define WRAP(result, name, ...)         \
    result __real_##name(__VA_ARGS__);  \
    result __wrap_##name(__VA_ARGS__)

static _Atomic unsigned long threads, seed;

static unsigned draw(void)
{
    static _Thread_local unsigned long state;
    if (state == 0)
        state = (seed + 1) * 0x9e3779b97f4a7c15ul + ++threads * 0xbf58476d1ce4e5b9ul;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 33;
}

/* How often a thread sleeps depends on the run: hardly ever, or before most accesses. */
static void others_may_run(void)
{
    static const unsigned rarely[] = {64, 8, 3, 2};
    unsigned number = draw();
    if (number % rarely[seed % 4] == 0)
        usleep(number / 64 % 200);
    else if (number % 8 == 1)
        sched_yield();
}

static void undefined(const char *what)
{
    fprintf(stderr, "undefined: %s\n", what);
    abort();
}

__attribute__((constructor)) static void start(void)
{
    const char *text = getenv("EDGE_SEED");
    seed = text ? strtoul(text, 0, 10) : 0;
    for (int i = 0; i < 4; i++)
        if (!malloc(draw() % 1000))
            abort();
}

/* Called before the accesses of a program that is compiled with `-fsanitize-coverage=func,trace-loads,trace-stores`. */
#define ACCESS(name) \
    void __sanitizer_cov_##name(void *address) { (void)address; others_may_run(); }
ACCESS(load1) ACCESS(load2) ACCESS(load4) ACCESS(load8) ACCESS(load16)
ACCESS(store1) ACCESS(store2) ACCESS(store4) ACCESS(store8) ACCESS(store16)

/* Threads: which handles may still be joined or detached. */

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
int __real_pthread_mutex_lock(pthread_mutex_t *);
int __real_pthread_mutex_unlock(pthread_mutex_t *);

static void begin(void) { others_may_run(); __real_pthread_mutex_lock(&table); }
static void end(void) { __real_pthread_mutex_unlock(&table); others_may_run(); }

enum { MANY = 64 };
static pthread_t joinable[MANY];
static int handles;

struct start {
    void *(*routine)(void *);
    void *argument;
};

static void *run(void *argument)
{
    struct start start = *(struct start *)argument;
    free(argument);
    begin();
    end();
    if (draw() % 2)
        usleep(200);
    /* The locals of the routine lie at another place each time. */
    *(volatile char *)alloca(16 + draw() % 2000) = 0;
    return start.routine(start.argument);
}

WRAP(int, pthread_create, pthread_t *handle, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument)
{
    int state = PTHREAD_CREATE_JOINABLE;
    pthread_t created;
    struct start *start = malloc(sizeof *start);
    *start = (struct start){routine, argument};
    if (attributes)
        pthread_attr_getdetachstate(attributes, &state);
    begin();
    int result = __real_pthread_create(&created, attributes, run, start);
    if (result == 0 && state == PTHREAD_CREATE_JOINABLE)
        joinable[handles++ % MANY] = created;
    end();
    if (draw() % 2)
        usleep(200);
    if (result == 0)
        *handle = created;
    return result;
}

static void claim(pthread_t handle)
{
    begin();
    int i = 0;
    while (i < MANY && joinable[i] != handle)
        i++;
    if (i == MANY || handle == 0)
        undefined("thread that is not joinable");
    joinable[i] = 0;
    end();
}

WRAP(int, pthread_join, pthread_t handle, void **value)
{
    if (handle != pthread_self())
        claim(handle);
    return __real_pthread_join(handle, value);
}

WRAP(int, pthread_detach, pthread_t handle)
{
    claim(handle);
    return __real_pthread_detach(handle);
}

/* Objects: those that were initialised or destroyed, and how they are held. Objects with a static initialiser come into the
   table when they are used. */

enum kind { MUTEX, LOCK, SPIN, SEMAPHORE, BARRIER, CONDITION };

static struct object {
    const volatile void *address;
    enum kind kind;
    int destroyed;
    int held;     /* how often; less than 0 for writing */
    int waiting;
    int threads;  /* that a barrier waits for */
} objects[MANY];

static struct object *find(const volatile void *address, enum kind kind)
{
    struct object *object = objects;
    while (object->address && (object->address != address || object->kind != kind))
        if (++object == objects + MANY)
            abort();
    return object;
}

/* The object, which must be there. The table is locked afterwards. */
static struct object *used(const volatile void *address, enum kind kind)
{
    begin();
    struct object *object = find(address, kind);
    if (object->address == 0) {
        if (kind == SPIN || kind == SEMAPHORE || kind == BARRIER)
            undefined("object that is not initialised");
        *object = (struct object){.address = address, .kind = kind};
    }
    if (object->destroyed)
        undefined("object that was destroyed");
    return object;
}

static void use(const volatile void *address, enum kind kind)
{
    used(address, kind);
    end();
}

static void initialised(const volatile void *address, enum kind kind, int threads)
{
    begin();
    struct object *object = find(address, kind);
    if (object->address && !object->destroyed && object->held)
        undefined("initialisation of an object that is held");
    *object = (struct object){.address = address, .kind = kind, .threads = threads};
    end();
}

static void destroyed(const volatile void *address, enum kind kind)
{
    struct object *object = used(address, kind);
    if (object->held && kind != MUTEX)
        undefined("destruction of a lock that is held");
    if (object->waiting)
        undefined("destruction of an object that threads wait for");
    object->destroyed = 1;
    end();
}

static int held(const volatile void *address, enum kind kind, int change, int result)
{
    if (result == 0) {
        begin();
        find(address, kind)->held += change;
        end();
    }
    return result;
}

/* Told before the call: once a lock is released, another thread may destroy it. */
static void released(const volatile void *address, enum kind kind)
{
    struct object *object = used(address, kind);
    if (object->held == 0 && kind != MUTEX)
        undefined("release of a lock that is free");
    object->held += object->held < 0 ? 1 : object->held > 0 ? -1 : 0;
    end();
}

WRAP(int, pthread_mutex_init, pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    initialised(mutex, MUTEX, 0);
    return __real_pthread_mutex_init(mutex, attributes);
}

WRAP(int, pthread_mutex_destroy, pthread_mutex_t *mutex)
{
    use(mutex, MUTEX);
    int result = __real_pthread_mutex_destroy(mutex);
    if (result == 0)
        destroyed(mutex, MUTEX);
    return result;
}

WRAP(int, pthread_mutex_lock, pthread_mutex_t *mutex)
{
    use(mutex, MUTEX);
    return held(mutex, MUTEX, 1, __real_pthread_mutex_lock(mutex));
}

WRAP(int, pthread_mutex_trylock, pthread_mutex_t *mutex)
{
    use(mutex, MUTEX);
    return held(mutex, MUTEX, 1, __real_pthread_mutex_trylock(mutex));
}

WRAP(int, pthread_mutex_unlock, pthread_mutex_t *mutex)
{
    released(mutex, MUTEX);
    return __real_pthread_mutex_unlock(mutex);
}

WRAP(int, pthread_cond_wait, pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    if (draw() % 4 == 0) {
        use(condition, CONDITION);
        __wrap_pthread_mutex_unlock(mutex);
        others_may_run();
        return __wrap_pthread_mutex_lock(mutex);
    }
    used(condition, CONDITION)->waiting++;
    end();
    released(mutex, MUTEX);
    return held(mutex, MUTEX, 1, __real_pthread_cond_wait(condition, mutex));
}

WRAP(int, pthread_cond_signal, pthread_cond_t *condition)
{
    struct object *object = used(condition, CONDITION);
    object->waiting -= object->waiting > 0;
    end();
    return __real_pthread_cond_signal(condition);
}

WRAP(int, pthread_cond_broadcast, pthread_cond_t *condition)
{
    used(condition, CONDITION)->waiting = 0;
    end();
    return __real_pthread_cond_broadcast(condition);
}

WRAP(int, pthread_barrier_init, pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned threads)
{
    int result = __real_pthread_barrier_init(barrier, attributes, threads);
    if (result == 0)
        initialised(barrier, BARRIER, threads);
    return result;
}

WRAP(int, pthread_barrier_wait, pthread_barrier_t *barrier)
{
    struct object *object = used(barrier, BARRIER);
    object->waiting = (object->waiting + 1) % object->threads;
    end();
    return __real_pthread_barrier_wait(barrier);
}

WRAP(int, sem_init, sem_t *semaphore, int shared, unsigned value)
{
    int result = __real_sem_init(semaphore, shared, value);
    if (result == 0)
        initialised(semaphore, SEMAPHORE, 0);
    return result;
}

/* `type name(object, …)` that initialises, destroys, uses, takes or releases an object. */
#define INITIALISE(name, type, second, kind)              \
    WRAP(int, name, type *object, second argument)        \
    {                                                     \
        initialised(object, kind, 0);                     \
        return __real_##name(object, argument);           \
    }
#define CALL(name, type, kind, action)                    \
    WRAP(int, name, type *object)                         \
    {                                                     \
        action(object, kind);                             \
        return __real_##name(object);                     \
    }
#define TAKE(name, type, kind, change)                                     \
    WRAP(int, name, type *object)                                          \
    {                                                                      \
        use(object, kind);                                                 \
        return held(object, kind, change, __real_##name(object));          \
    }

INITIALISE(pthread_rwlock_init, pthread_rwlock_t, const pthread_rwlockattr_t *, LOCK)
CALL(pthread_rwlock_destroy, pthread_rwlock_t, LOCK, destroyed)
TAKE(pthread_rwlock_rdlock, pthread_rwlock_t, LOCK, 1)
TAKE(pthread_rwlock_tryrdlock, pthread_rwlock_t, LOCK, 1)
TAKE(pthread_rwlock_wrlock, pthread_rwlock_t, LOCK, -1)
TAKE(pthread_rwlock_trywrlock, pthread_rwlock_t, LOCK, -1)
CALL(pthread_rwlock_unlock, pthread_rwlock_t, LOCK, released)
INITIALISE(pthread_spin_init, pthread_spinlock_t, int, SPIN)
CALL(pthread_spin_destroy, pthread_spinlock_t, SPIN, destroyed)
TAKE(pthread_spin_lock, pthread_spinlock_t, SPIN, 1)
TAKE(pthread_spin_trylock, pthread_spinlock_t, SPIN, 1)
CALL(pthread_spin_unlock, pthread_spinlock_t, SPIN, released)
CALL(sem_destroy, sem_t, SEMAPHORE, destroyed)
CALL(sem_post, sem_t, SEMAPHORE, use)
CALL(sem_wait, sem_t, SEMAPHORE, use)
CALL(sem_trywait, sem_t, SEMAPHORE, use)
CALL(pthread_barrier_destroy, pthread_barrier_t, BARRIER, destroyed)
INITIALISE(pthread_cond_init, pthread_cond_t, const pthread_condattr_t *, CONDITION)
CALL(pthread_cond_destroy, pthread_cond_t, CONDITION, destroyed)
