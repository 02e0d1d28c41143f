// expect: unsafe
// reason: Looks at the count without the lock, and so may free the pool before the worker has given back the lock
//   that lies in it.
// options: --property valid-deref
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t lock;
    atomic_int working;
};

static void *work(void *argument) {
    struct pool *pool = argument;
    pthread_mutex_lock(&pool->lock);
    pool->working--;
    pthread_mutex_unlock(&pool->lock); // use after free
    return NULL;
}

static int works(struct pool *pool) {
    int working = pool->working;
    return working;
}

int main(void) {
    pthread_t thread;
    struct pool *pool = malloc(sizeof *pool);
    pthread_mutex_init(&pool->lock, NULL);
    pool->working = 1;
    pthread_create(&thread, NULL, work, pool);
    while (works(pool))
        ;
    free(pool);
    pthread_join(thread, NULL);
    return 0;
}
