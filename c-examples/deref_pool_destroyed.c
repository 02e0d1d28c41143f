// expect: safe
// reason: The pool is freed when nobody works any more, which is said under the lock, and looked at under the lock.
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
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static int works(struct pool *pool) {
    pthread_mutex_lock(&pool->lock);
    int working = pool->working;
    pthread_mutex_unlock(&pool->lock);
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
