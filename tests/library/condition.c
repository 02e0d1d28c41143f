// functions: pthread_cond_init pthread_cond_destroy pthread_cond_signal pthread_cond_broadcast pthread_cond_wait
// functions: pthread_cond_timedwait pthread_condattr_init pthread_condattr_destroy
#include <time.h>

#include "check.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER, made;
static pthread_condattr_t attributes;
static int there, go;

static void *wait_to_go(void *unused)
{
    pthread_mutex_lock(&mutex);
    there = 1;
    long result = 0;
    while (!go)
        result += pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    (void)unused;
    return (void *)result;
}

/* Starts a thread, and takes the mutex when the thread waits. */
static pthread_t waiter(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, wait_to_go, 0);
    for (;;) {
        pthread_mutex_lock(&mutex);
        if (there)
            return thread;
        pthread_mutex_unlock(&mutex);
    }
}

static long destroy_after_broadcast(void)
{
    void *result = 0;
    pthread_t thread = waiter();
    go = 1;
    long destroyed = pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    destroyed += pthread_cond_destroy(&condition);
    pthread_join(thread, &result);
    return destroyed + (long)result;
}

static int destroy_while_waited(void)
{
    waiter();
    return pthread_cond_destroy(&condition);
}

int main(void)
{
    struct timespec past = {0, 0}, before = {-1, 5}, other = {0, 1}, invalid = {0, 1000000000};
    pthread_cond_t garbage;
    UNDEFINED(pthread_cond_signal(&garbage));
    UNDEFINED(pthread_condattr_destroy(&attributes));
    UNDEFINED(pthread_cond_timedwait(&condition, &mutex, &invalid));
    UNDEFINED(pthread_cond_init(&made, &attributes));
    UNDEFINED(destroy_while_waited());

    CHECK(pthread_condattr_init(&attributes));
    CHECK(pthread_cond_init(&made, &attributes));
    CHECK(pthread_condattr_destroy(&attributes));
    UNDEFINED(pthread_condattr_destroy(&attributes));
    CHECK(pthread_cond_signal(&made));
    CHECK(pthread_cond_broadcast(&made));
    CHECK(pthread_cond_wait(&made, &checked));
    CHECK(pthread_cond_timedwait(&made, &checked, &past));
    CHECK(pthread_mutex_lock(&mutex));
    CHECK(pthread_cond_timedwait(&made, &mutex, &invalid));
    ONE_OF(pthread_cond_timedwait(&made, &checked, &invalid), value == EINVAL || value == EPERM);
    CHECK(pthread_cond_timedwait(&made, &mutex, &past));
    CHECK(pthread_cond_timedwait(&made, &mutex, &before));
    ONE_OF(pthread_cond_timedwait(&made, &mutex, &other), value == 0 || value == ETIMEDOUT);
    CHECK(pthread_mutex_unlock(&mutex));
    CHECK(pthread_cond_destroy(&made));
    UNDEFINED(pthread_cond_signal(&made));
    UNDEFINED(pthread_cond_broadcast(&made));
    UNDEFINED(pthread_cond_wait(&made, &mutex));
    UNDEFINED(pthread_cond_timedwait(&made, &mutex, &invalid));
    UNDEFINED(pthread_cond_destroy(&made));
    CHECK(destroy_after_broadcast());
    END;
}
