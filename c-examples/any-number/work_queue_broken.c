// expect: unsafe
// reason: A consumer looks whether there is an item and lets others take it before it does so itself.
// options: --threads any
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define SIZE 4

extern bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int queue[SIZE];
static unsigned first, length;

static void *produce(void *unused) {
    pthread_mutex_lock(&lock);
    if (length < SIZE) {
        queue[(first + length) % SIZE] = 7;
        length++;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *consume(void *unused) {
    pthread_mutex_lock(&lock);
    bool is_empty = length == 0;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    if (!is_empty) {
        assert(queue[first] == 7);
        queue[first] = 0;
        first = (first + 1) % SIZE;
        length--;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    for (;;) {
        pthread_t thread;
        if (__VERIFIER_nondet_bool())
            pthread_create(&thread, NULL, produce, NULL);
        else
            pthread_create(&thread, NULL, consume, NULL);
    }
}
