// expect: unsafe
// reason: Whether the value is there is looked at before the lock is taken, so two threads may initialise,
//   the second after the first one has used it.
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
    bool was_there = is_there;
    pthread_mutex_lock(&lock);
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
