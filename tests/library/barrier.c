// functions: pthread_barrier_init pthread_barrier_destroy pthread_barrier_wait
// functions: pthread_barrierattr_init pthread_barrierattr_destroy
#include <stdlib.h>

#include "check.h"

static pthread_barrier_t barrier, never, *shared;
static pthread_barrierattr_t attributes;

THREAD(wait_shared, pthread_barrier_wait(shared))

/* Two threads meet; whoever is told to destroys the barrier at once, and frees it. */
static long meet(void)
{
    pthread_t other;
    void *result = 0;
    shared = malloc(sizeof *shared);
    pthread_barrier_init(shared, 0, 2);
    pthread_create(&other, 0, wait_shared, 0);
    long own = pthread_barrier_wait(shared);
    long destroyed = pthread_barrier_destroy(shared);
    free(shared);
    pthread_join(other, &result);
    return own + (long)result + destroyed;
}

static int destroy_while_waited(void)
{
    pthread_t other;
    pthread_barrier_init(&barrier, 0, 2);
    shared = &barrier;
    pthread_create(&other, 0, wait_shared, 0);
    return pthread_barrier_destroy(&barrier);
}

int main(void)
{
    UNDEFINED(pthread_barrier_wait(&never));
    UNDEFINED(pthread_barrier_destroy(&never));
    UNDEFINED(pthread_barrierattr_destroy(&attributes));
    UNDEFINED(pthread_barrier_init(&barrier, &attributes, 1));
    UNDEFINED(destroy_while_waited());

    CHECK(pthread_barrier_init(&barrier, 0, 0));
    CHECK(pthread_barrier_init(&barrier, 0, 1u << 31));
    CHECK(pthread_barrierattr_init(&attributes));
    CHECK(pthread_barrier_init(&barrier, &attributes, 1));
    CHECK(pthread_barrierattr_destroy(&attributes));
    CHECK(pthread_barrier_wait(&barrier));
    CHECK(pthread_barrier_wait(&barrier));
    CHECK(pthread_barrier_destroy(&barrier));
    UNDEFINED(pthread_barrier_wait(&barrier));
    UNDEFINED(pthread_barrier_destroy(&barrier));
    CHECK(pthread_barrier_init(&barrier, 0, 2));
    NEVER_RETURNS(pthread_barrier_wait(&barrier));
    CHECK(pthread_barrier_destroy(&barrier));
    CHECK(meet());
    END;
}
