// expect: safe
// reason: Main waits under the mutex until both workers have counted down, so their results are
//   complete.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static pthread_cond_t zero;
static int remaining = 2;
static int results[2];

static void *work(void *argument) {
    int *result = argument;
    *result = 5;
    pthread_mutex_lock(&lock);
    remaining--;
    if (remaining == 0)
        pthread_cond_broadcast(&zero);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_mutex_init(&lock, 0);
    pthread_cond_init(&zero, 0);
    pthread_t a, b;
    pthread_create(&a, 0, work, &results[0]);
    pthread_create(&b, 0, work, &results[1]);
    pthread_detach(a);
    pthread_detach(b);
    pthread_mutex_lock(&lock);
    while (remaining > 0)
        pthread_cond_wait(&zero, &lock);
    pthread_mutex_unlock(&lock);
    assert(results[0] + results[1] == 10);
    return 0;
}
