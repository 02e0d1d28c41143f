// expect: safe
// reason: An object that was put into the bucket of its address is found there, as long as it lives.
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static int *buckets[2];

static unsigned bucket(const int *object) {
    return ((uintptr_t)object >> 4 ^ (uintptr_t)object >> 9) & 1;
}

static void *insert(void *unused) {
    (void)unused;
    int *object = malloc(sizeof *object);
    *object = 3;
    buckets[bucket(object)] = object;
    return object;
}

int main(void) {
    pthread_t thread;
    void *object;
    pthread_create(&thread, 0, insert, 0);
    pthread_join(thread, &object);
    assert(buckets[bucket(object)] == object && *buckets[bucket(object)] == 3);
    free(object);
    return 0;
}
