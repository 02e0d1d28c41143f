// expect: safe
// reason: Readers are counted, and a writer waits until there are none. That the number is that of the threads which read
//   is proved for any number of threads.
// options: --threads any
// size: large
// optimised: same
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned readers;
static bool is_written;
static int value, copy;

static void *update(void *unused) {
    pthread_mutex_lock(&lock);
    if (!is_written && readers == 0) {
        is_written = true;
        pthread_mutex_unlock(&lock);
        value++;
        copy = value;
        pthread_mutex_lock(&lock);
        is_written = false;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *look(void *unused) {
    pthread_mutex_lock(&lock);
    if (!is_written && readers < UINT_MAX) {
        readers++;
        pthread_mutex_unlock(&lock);
        assert(value == copy);
        pthread_mutex_lock(&lock);
        readers--;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        if (__VERIFIER_nondet_bool())
            pthread_create(&thread, NULL, update, NULL);
        else
            pthread_create(&thread, NULL, look, NULL);
    }
}
