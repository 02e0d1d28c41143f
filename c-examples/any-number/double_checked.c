// expect: safe
// reason: The flag is set after the value, and only by who holds the lock and has seen that it was not set.
// options: --threads any
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool is_there;
static int value;

static void *use(void *unused) {
    if (!atomic_load(&is_there)) {
        pthread_mutex_lock(&lock);
        if (!atomic_load(&is_there)) {
            value = 42;
            atomic_store(&is_there, true);
        }
        pthread_mutex_unlock(&lock);
    }
    assert(value == 42);
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, NULL, use, NULL);
    }
}
