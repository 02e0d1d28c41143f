// expect: safe
// reason: Tickets are given out once each, since a number that would come again ends the program, and the
//   thread whose ticket is served is inside alone.
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
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static atomic_uint next, served;
static int inside;

static unsigned take(void) {
    __VERIFIER_atomic_begin();
    unsigned ticket = next;
    if (ticket == UINT_MAX)
        abort();
    next = ticket + 1;
    __VERIFIER_atomic_end();
    return ticket;
}

static void *work(void *unused) {
    unsigned ticket = take();
    while (atomic_load(&served) != ticket) {
    }
    assert(inside == 0);
    inside = 1;
    inside = 0;
    atomic_store(&served, ticket + 1);
    return unused;
}

int main(void) {
    while (__VERIFIER_nondet_bool()) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
    }
}
