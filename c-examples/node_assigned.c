// expect: safe
// reason: A new node gets its mutex by assignment before any other thread knows it, and memory that is given out again may hold anything.
// size: medium
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    pthread_mutex_t mutex;
};

static struct node *shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *put(void *unused) {
    struct node *node = malloc(sizeof *node);
    *node = (struct node){.value = 3, .mutex = PTHREAD_MUTEX_INITIALIZER};
    pthread_mutex_lock(&mutex);
    struct node *old = shared;
    shared = node;
    pthread_mutex_unlock(&mutex);
    if (old) {
        pthread_mutex_lock(&old->mutex);
        assert(old->value == 3);
        pthread_mutex_unlock(&old->mutex);
        pthread_mutex_destroy(&old->mutex);
        free(old);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, put, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
