// expect: unknown
// reason: Who sees that the value is made without the mutex does not acquire what was stored before.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int made;
static int value;

static void *use(void *argument) {
    if (!atomic_load_explicit(&made, memory_order_relaxed)) { // does not acquire
        pthread_mutex_lock(&mutex);
        if (!atomic_load_explicit(&made, memory_order_relaxed)) {
            value = 5;
            atomic_store_explicit(&made, 1, memory_order_release);
        }
        pthread_mutex_unlock(&mutex);
    }
    return value == 5 ? argument : NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_join(thread, NULL);
    return value;
}
