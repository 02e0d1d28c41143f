// expect: safe
// reason: Three threads make twelve increments each under the same mutex.
// size: medium
// optimised: same
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 12
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *work(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    assert(counter == THREADS * ROUNDS);
    return 0;
}
