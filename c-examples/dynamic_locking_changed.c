// expect: unsafe
// reason: The shared lock pointer is moved to the other mutex while the first thread holds the old
//   one.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t *_Atomic current = &locks[0];
static volatile int left, right;

static void *work(void *next) {
    pthread_mutex_t *mine = atomic_load(&current);
    pthread_mutex_lock(mine);
    left++;
    if (next)
        atomic_store(&current, (pthread_mutex_t *)next);
    right++;
    assert(left == right);
    pthread_mutex_unlock(mine);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, &locks[1]);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
