// expect: safe
// reason: Whoever comes first initialises under the lock, and nobody writes afterwards.
// options: --threads any
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_there;
static int initialisations;

static void *use(void *unused) {
    pthread_mutex_lock(&lock);
    bool was_there = is_there;
    if (!was_there) {
        initialisations++;
        is_there = true;
    }
    assert(initialisations == 1);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, NULL, use, NULL);
    }
}
