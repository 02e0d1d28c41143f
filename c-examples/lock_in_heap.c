// expect: safe
// reason: Mutex and data are in one heap object that main makes for the threads and frees after
//   joining them.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct shared {
    pthread_mutex_t lock;
    int sum;
};

static void *work(void *argument) {
    struct shared *shared = argument;
    pthread_mutex_lock(&shared->lock);
    shared->sum += 2;
    pthread_mutex_unlock(&shared->lock);
    return 0;
}

int main(void) {
    struct shared *shared = malloc(sizeof *shared);
    if (!shared)
        abort();
    pthread_mutex_init(&shared->lock, 0);
    shared->sum = 0;
    pthread_t a, b;
    pthread_create(&a, 0, work, shared);
    pthread_create(&b, 0, work, shared);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int sum = shared->sum;
    pthread_mutex_destroy(&shared->lock);
    free(shared);
    assert(sum == 4);
    return 0;
}
