// expect: safe
// reason: The pointer is published after the object is complete, and the second check under the
//   mutex makes one thread initialise it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct config {
    int value;
};

static struct config storage;
static struct config *_Atomic instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int initialised;

static void *work(void *unused) {
    struct config *config = atomic_load(&instance);
    if (!config) {
        pthread_mutex_lock(&lock);
        config = atomic_load(&instance);
        if (!config) {
            storage.value = 42;
            initialised++;
            config = &storage;
            atomic_store(&instance, config);
        }
        pthread_mutex_unlock(&lock);
    }
    assert(config->value == 42);
    return unused;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(initialised == 1);
    return 0;
}
