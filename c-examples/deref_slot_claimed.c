// expect: safe
// reason: A slot is claimed in one step, and what is beyond the last one is not used.
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
    int slot = used++;
    if (slot < SLOTS)
        slots[slot] = *(int *)value;
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
