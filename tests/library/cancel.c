// functions: pthread_cancel pthread_setcancelstate pthread_setcanceltype pthread_testcancel
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <unistd.h>

#include "check.h"

static sem_t begun, requested;
static int reached;

/* What the calls of a thread gave that is cancelled later. To record it there might be a cancellation point. */
static int results[4];

/* Acts upon the request at the first cancellation point behind it. */
static void *test(void *unused)
{
    (void)unused;
    sem_post(&begun);
    while (sem_trywait(&requested) != 0)
        ;
    reached = 1;
    pthread_testcancel();
    reached = 2;
    return NULL;
}

static void *sleep_on(void *unused)
{
    (void)unused;
    sem_post(&begun);
    while (sem_trywait(&requested) != 0)
        ;
    reached = 3;
    usleep(1);
    reached = 4;
    return NULL;
}

static void *refuse(void *unused)
{
    results[0] = pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &results[1]);
    sem_post(&begun);
    while (sem_trywait(&requested) != 0)
        ;
    pthread_testcancel();
    usleep(1);
    reached = 5;
    results[2] = pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &results[3]);
    reached = 6;
    pthread_testcancel();
    reached = 7;
    return unused;
}

static void note(void *unused)
{
    (void)unused;
    pthread_testcancel();
    reached *= 10;
}

static void *wait_in(void *unused)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_cleanup_push(note, NULL);
    pthread_mutex_lock(&mutex);
    sem_post(&begun);
    for (;;)
        pthread_cond_wait(&condition, &mutex);
    pthread_cleanup_pop(0);
    return unused;
}

/* Whether a thread with this start routine was cancelled. */
static int is_cancelled(void *(*start)(void *))
{
    pthread_t thread;
    void *result = NULL;
    pthread_create(&thread, NULL, start, NULL);
    sem_wait(&begun);
    int error = pthread_cancel(thread);
    sem_post(&requested);
    pthread_join(thread, &result);
    return 10 * error + (result == PTHREAD_CANCELED);
}

int main(void)
{
    int old = 7;
    sem_init(&begun, 0, 0);
    sem_init(&requested, 0, 0);
    CHECK(is_cancelled(test));
    CHECK(reached);
    CHECK(is_cancelled(sleep_on));
    CHECK(reached);
    CHECK(is_cancelled(refuse));
    CHECK(reached);
    CHECK(results[0]);
    CHECK(results[1]);
    CHECK(results[2]);
    CHECK(results[3]);
    CHECK(is_cancelled(wait_in));
    CHECK(reached);
    CHECK(pthread_setcancelstate(2, &old));
    CHECK(old);
    CHECK(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL));
    CHECK(pthread_setcanceltype(2, &old));
    CHECK(old);
    CHECK(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old));
    CHECK(old);
    END;
}
