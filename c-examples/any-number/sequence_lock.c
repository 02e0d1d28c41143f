// expect: safe
// reason: The sequence number is odd while somebody writes, and grows with each write, so a reader that sees
//   the same even number twice has read what one writer wrote.
// options: --threads any
// size: large
// optimised: same
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

extern bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint sequence;
static atomic_int left, right;

static void *update(void *unused) {
    int value = __VERIFIER_nondet_int();
    pthread_mutex_lock(&lock);
    if (atomic_load(&sequence) > UINT_MAX - 3)
        abort();
    atomic_fetch_add(&sequence, 1);
    atomic_store(&left, value);
    atomic_store(&right, value);
    atomic_fetch_add(&sequence, 1);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *look(void *unused) {
    unsigned before = atomic_load(&sequence);
    if (before % 2 == 0) {
        int a = atomic_load(&left), b = atomic_load(&right);
        if (atomic_load(&sequence) == before)
            assert(a == b);
    }
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        if (__VERIFIER_nondet_bool())
            pthread_create(&thread, NULL, update, NULL);
        else
            pthread_create(&thread, NULL, look, NULL);
    }
}
