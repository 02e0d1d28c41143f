// expect: unknown
// reason: The handle of the second thread may be the number that the first one had, since that was joined before. Then it is exchanged.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic pthread_t owner;

static void *run(void *unused) {
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, run, 0);
    owner = first;
    pthread_join(first, 0);
    pthread_create(&second, 0, run, 0);
    pthread_t expected = second;
    _Bool is_exchanged = atomic_compare_exchange_strong(&owner, &expected, 0);
    pthread_join(second, 0);
    assert(!is_exchanged);
    return 0;
}
