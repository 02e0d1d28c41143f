// expect: safe
// reason: A function of the program whose name begins like those of the library wipes a mutex that no thread holds, before it is
//   initialised again.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex;
static int shared;

static void pthread_mutex_wipe(pthread_mutex_t *wiped) {
    pthread_mutex_destroy(wiped);
    memset(wiped, 0, sizeof *wiped);
    pthread_mutex_init(wiped, 0);
}

static void *add(void *unused) {
    pthread_mutex_lock(&mutex);
    shared++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_init(&mutex, 0);
    pthread_mutex_wipe(&mutex);
    pthread_create(&thread, 0, add, 0);
    add(0);
    pthread_join(thread, 0);
    assert(shared == 2);
    return 0;
}
