// expect: unknown
// reason: A function of the program whose name begins like those of the library wipes a mutex that another thread may hold.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex;
static int shared;

static void pthread_mutex_wipe(pthread_mutex_t *wiped) {
    memset(wiped, 0, sizeof *wiped);
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
    pthread_create(&thread, 0, add, 0);
    pthread_mutex_wipe(&mutex);
    pthread_join(thread, 0);
    assert(shared == 1);
    return 0;
}
