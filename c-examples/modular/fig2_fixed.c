// expect: safe
// reason: The creator starts the thread and stores its handle with one lock held, and the thread takes that lock
//   before it looks at its handle.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define RUNNING 1

static pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool must_start;
static atomic_int handle; // 0 until the creator has stored it
static int state;

static void *create(void *unused) {
    int created = RUNNING;
    pthread_mutex_lock(&start_lock);
    must_start = true;
    handle = created;
    pthread_mutex_unlock(&start_lock);
    return unused;
}

static void *run(void *unused) {
    while (!must_start) {
    }
    pthread_mutex_lock(&start_lock);
    pthread_mutex_unlock(&start_lock);
    state = handle;
    assert(state == RUNNING);
    return unused;
}

int main(void) {
    pthread_t creator, runner;
    pthread_create(&creator, NULL, create, NULL);
    pthread_create(&runner, NULL, run, NULL);
    pthread_join(creator, NULL);
    pthread_join(runner, NULL);
    return 0;
}
