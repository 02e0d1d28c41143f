// expect: unsafe
// reason: Two threads may both see that one slot is left, and both take one.
// options: --property valid-deref
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define SLOTS 2

static int slots[SLOTS];
static atomic_int used = 1;

static void *put(void *value) {
    if (used < SLOTS) {
        int slot = used++;
        slots[slot] = *(int *)value; // out of bounds
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    int one = 1, two = 2;
    pthread_create(&thread, NULL, put, &one);
    put(&two);
    pthread_join(thread, NULL);
    return slots[0];
}
