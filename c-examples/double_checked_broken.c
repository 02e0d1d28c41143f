// expect: unsafe
// reason: The pointer is published before the object is filled in, and the unlocked first check
//   lets the other thread use it too early.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct config {
    volatile int value;
};

static struct config storage;
static struct config *_Atomic instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    if (!atomic_load(&instance)) {
        pthread_mutex_lock(&lock);
        if (!atomic_load(&instance)) {
            atomic_store(&instance, &storage);
            storage.value = 42;
        }
        pthread_mutex_unlock(&lock);
    }
    assert(atomic_load(&instance)->value == 42);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
