// expect: unsafe
// reason: The main thread takes the lock for the other one, which gives it back.
// options: --property no-lock-misuse
// size: small
// optimised: same
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *work(void *argument) {
    done = 1;
    pthread_mutex_unlock(&lock); // unlock of a mutex that another thread holds
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return done - 1;
}
