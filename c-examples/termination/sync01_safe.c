// expect: unsafe
// reason: A thread looks at the number before it has the mutex. The other one may change it and signal in between,
//   and then it waits for a signal that has been. Nothing that is asserted is violated.
// options: --property termination
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;
static pthread_cond_t is_empty, is_full;
static volatile int number = 1;

// Waits until there is nothing, and puts one.
static void *put(void *unused) {
    int seen = number;
    pthread_mutex_lock(&lock);
    if (seen > 0)
        pthread_cond_wait(&is_empty, &lock);
    number++;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&is_full);
    return unused;
}

// Waits until there is one, and takes it.
static void *take(void *unused) {
    int seen = number;
    pthread_mutex_lock(&lock);
    if (seen == 0)
        pthread_cond_wait(&is_full, &lock);
    number--;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&is_empty);
    return unused;
}

static void initialise(void) {
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&is_empty, NULL);
    pthread_cond_init(&is_full, NULL);
}

static void destroy(void) {
    pthread_cond_destroy(&is_full);
    pthread_cond_destroy(&is_empty);
    pthread_mutex_destroy(&lock);
}

int main(void) {
    pthread_t a, b;
    initialise();
    pthread_create(&a, NULL, put, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    destroy();
    assert(number == 1);
    return 0;
}
