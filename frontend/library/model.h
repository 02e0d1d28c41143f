/* What the models are written in. Their state lives in the object's own memory, and zero bytes mean what glibc's static
   initialisers mean. Results are glibc's error numbers on Linux. */
#ifndef MODEL_H
#define MODEL_H

#include <stddef.h>
#include <stdint.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __mazurka_wait(void);
extern unsigned long __mazurka_create(void *(*)(void *), void *);

/* The number by which locks name the executing thread, from 1. A handle is an arbitrary number. */
extern unsigned __mazurka_thread(void);

/* The same for the thread of a handle. */
extern unsigned __mazurka_number_of(unsigned long);

/* The thread is about to end, and is not cancelled any more. */
extern void __mazurka_begin_end(void);

/* The set of the thread with a number, and any one thread of a set; see thread_set.c. */
extern unsigned __mazurka_set_of(unsigned);
extern unsigned __mazurka_one_of(unsigned);
#define OWN_SET __mazurka_set_of(__mazurka_thread())

/* Which object a pointer was made from: pointers into different objects differ in this. */
extern unsigned __mazurka_object(const void *);

/* How many bytes a heap object has; undefined for all else, as `free` is. */
extern size_t __mazurka_size(const void *);

extern void __mazurka_unsupported(const char *);

/* What the string literal names is not supported inside of an atomic region, beside so many of the library. */
extern void __mazurka_require_no_region(const char *, unsigned own);

/* Calls a destructor of thread-specific data. */
extern void __mazurka_destroy(void (*)(void *), void *);

/* Any number; no violation counts that depends on it. */
extern unsigned char __mazurka_unknown_char(void);
extern long long __mazurka_unknown_long(void);

/* The program has no defined meaning where the condition does not hold; the string literal says what it did then. */
extern void __mazurka_undefined_unless(_Bool, const char *);

/* The same where the program uses a lock, or what else threads wait for, as it must not. */
extern void __mazurka_lock_misuse_unless(_Bool, const char *);

/* The same where threads wait for good. */
extern void __mazurka_deadlock_unless(_Bool, const char *);

/* Whether it is verified that locks are used as they must be: also where the library says how it fails. */
extern _Bool __mazurka_are_locks_verified(void);

/* Whether the program uses the library function of this name, known before the program runs: what only that function looks at
   is not kept up elsewhere. */
extern _Bool __mazurka_is_used(const char *);

/* Initialises the last byte of an object, which the model uses for nothing else: its memory must be as large as its type. */
#define REACH_END(object) (((volatile char *)(object))[sizeof *(object) - 1] = 0)

/* The same for use of what may have been initialised by its zero bytes alone. */
#define REQUIRE_END(object) ((void)((const volatile char *)(object))[sizeof *(object) - 1])

/* Whether what the object's memory holds is known to be no leftover: it is a variable of static storage, which starts as zero bytes, or a
   local or heap object that was initialised before. Other memory may be fresh and hold anything, and what an initialisation finds
   there tells nothing. Asked by every initialisation, once. */
extern _Bool __mazurka_is_written(const volatile void *);

/* Initialising an object that is in use is undefined. */
#define IS_FREE(object, in_use) (!__mazurka_is_written(object) || !(in_use))
#define IN_USE "initialises what is in use"
#define UNDEFINED_IF_IN_USE(object, in_use) __mazurka_undefined_unless(IS_FREE(object, in_use), IN_USE)

/* Initialising a lock that is in use is undefined. Where the program may copy locks, the content may be a copy of that of another one, and the
   watch tells instead. */
#define MISUSE_IF_IN_USE(lock, in_use) \
    if (!__mazurka_are_copied())      \
    __mazurka_lock_misuse_unless(IS_FREE(lock, in_use), IN_USE)

/* Whether the object is seen to lie in a variable of static storage, whose life never ends. */
extern _Bool __mazurka_lasts(const volatile void *);

/* Whether both pointers may be into one object, as far as is seen before the program runs. */
extern _Bool __mazurka_may_overlap(const void *, const void *);

/* Whether it is seen before the program runs that no condition variable is waited for with two mutexes. Every wait asks with its
   condition variable and mutex; who asks with null pointers only wants to know. */
extern _Bool __mazurka_waits_agree(const void *, const void *);

/* Whether this lock is the one that is watched: any. */
extern _Bool __mazurka_choose(void);

/* Whether locks that are in use are watched, and uses of copies of them: where the program may write over locks, or copy them. See watch.c. */
extern _Bool __mazurka_are_watched(void);
extern _Bool __mazurka_are_copied(void);
extern _Bool __mazurka_hold(const volatile void *);
extern void __mazurka_release(const volatile void *);
extern void __mazurka_require_original(const volatile void *);

/* The lock, named by the word that says whether it is in use, is used; is in use from now on, which says whether it is watched; is free. */
#define USE(lock)                \
    if (__mazurka_are_copied()) \
    __mazurka_require_original(lock)
#define HOLD(lock) (__mazurka_are_watched() && __mazurka_hold(lock))
#define RELEASE(lock)            \
    if (__mazurka_are_watched()) \
    __mazurka_release(lock)

/* Goes on when the condition holds. For the checker a thread that finds it false stops there for good, since it could as well
   have waited before; a native run lets others run, inside of an atomic region, too, and looks again. */
#define WAIT_UNTIL(condition) \
    while (!(condition))      \
    __mazurka_wait()

/* Whether deadlocks are looked for: then a thread that has to wait may say that it waits for good. See deadlock.c. */
extern _Bool __mazurka_are_deadlocks_looked_for(void);
extern _Thread_local _Bool __mazurka_has_limit;
extern void __mazurka_begin_thread(unsigned long);
extern void __mazurka_wait_for_good(unsigned holder);
extern void __mazurka_let_go(void);

/* Whether there is a request to cancel the thread, and whether one may come: it waits for good in no call that would act upon that. */
extern _Bool __mazurka_is_cancelled(void);
extern _Bool __mazurka_cancellation_is_on(void);
extern _Bool __mazurka_acts_in_wait(void);
#define IS_CANCELLED (__mazurka_is_used("pthread_cancel") && __mazurka_is_cancelled())
#define CANCELLATION_IS_ON (__mazurka_is_used("pthread_cancel") && __mazurka_cancellation_is_on())

/* Whether it is known which threads wait for a condition variable, or hold a lock for reading. It matters where deadlocks are looked for, and
   where it is verified how locks are used. */
#define ARE_THREADS_KNOWN (__mazurka_are_deadlocks_looked_for() || __mazurka_are_locks_verified())

/* A wait, or where the condition holds, wait for good, unless the thread waits with a limit of time; it notes that then. The holder is the
   set of the thread that would have to go on first, or the empty set. */
#define WAIT_OR(wait, condition, holder) WAIT_OR_NOTE(wait, (void)0, condition, holder)
#define WAIT_OR_NOTE(wait, note, condition, holder)                               \
    if (__mazurka_are_deadlocks_looked_for()) {                                    \
        __VERIFIER_atomic_begin();                                                 \
        _Bool waits = !__mazurka_has_limit && (condition) && __mazurka_choose();   \
        if (waits) {                                                               \
            __mazurka_require_no_region("a wait for good, inside of an atomic region", 1); \
            note;                                                                  \
            __mazurka_wait_for_good(holder);                                       \
        } else {                                                                   \
            __mazurka_let_go();                                                    \
            wait;                                                                  \
        }                                                                          \
        __VERIFIER_atomic_end();                                                   \
        if (waits)                                                                 \
            __VERIFIER_assume(0);                                                  \
    } else {                                                                       \
        wait;                                                                      \
    }

/* The same before a wait. */
#define MAY_WAIT_FOR_GOOD(condition, holder) WAIT_OR((void)0, condition, holder)

/* Comes in the atomic region of what may let a thread go on that waits, or behind the only effect. */
#define LET_GO                                  \
    if (__mazurka_are_deadlocks_looked_for())   \
    __mazurka_let_go()

/* Whether data races are looked for: then a result that orders nothing may come about in any case. See races.c. */
extern _Bool __mazurka_are_races_looked_for(void);
extern _Bool __mazurka_comes_about(void);
#define COMES_ABOUT (__mazurka_are_races_looked_for() && __mazurka_comes_about())

/* Whether lost memory is looked for where the program ends: then what the library keeps must not lead to what the program has lost. */
extern _Bool __mazurka_are_leaks_looked_for(void);

/* Reads a text up to an end that is not known. */
extern void __mazurka_read_some(const char *);

/* Reads all bytes of a block. */
extern void __mazurka_read_bytes(const void *, size_t);

/* A call that waits with a limit of time. */
#define WITH_LIMIT(result, call)                    \
    if (__mazurka_are_deadlocks_looked_for())       \
        __mazurka_has_limit = 1;                    \
    result = call;                                  \
    if (__mazurka_are_deadlocks_looked_for())       \
        __mazurka_has_limit = 0

enum {
    NOT_PERMITTED = 1,
    TRY_AGAIN = 11,
    OUT_OF_MEMORY = 12,
    BUSY = 16,
    INVALID = 22,
    OUT_OF_RANGE = 34,
    DEADLOCK = 35,
    TOO_LARGE = 75,
    NOT_SUPPORTED = 95,
    TIMED_OUT = 110
};

#endif
