// expect: unknown
// reason: The owner field of the mutex lies over the handle of the reader, which is no owner, so the locker unlocks what it does
//   not hold; had it not, main would join what is no handle any more.
// size: medium
// optimised: same
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static union {
    pthread_mutex_t mutex;
    pthread_t handles[5]; // the second one lies where the owner does
} shared;
static volatile int value;

static void *reader(void *unused) {
    int first = value;
    int second = value;
    assert(first == second);
    return unused;
}

static void *locker(void *unused) {
    pthread_mutex_unlock(&shared.mutex);
    pthread_mutex_lock(&shared.mutex);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&shared.handles[1], 0, reader, 0);
    pthread_create(&t, 0, locker, 0);
    pthread_join(shared.handles[1], 0);
    if (__VERIFIER_nondet_uint() * 7 == 123456789)
        value = 1;
    return 0;
}
