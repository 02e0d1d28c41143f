// expect: unsafe
// reason: The flag is set before the value, so a thread that does not take the lock may use the value before
//   it is there.
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
            atomic_store(&is_there, true);
            value = 42;
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
