// expect: safe
// reason: Output may be a cancellation point, so the thread prints when it holds the mutex no more.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *unused) {
    pthread_mutex_lock(&m);
    count++;
    pthread_mutex_unlock(&m);
    puts("counted");
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    assert(count == 1 && pthread_mutex_trylock(&m) == 0);
    pthread_mutex_unlock(&m);
    return 0;
}
