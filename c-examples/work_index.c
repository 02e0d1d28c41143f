// expect: safe
// reason: fetch-and-add deals out each index once, so every element is incremented exactly once.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 4 };

static atomic_int next_index;
static int elements[SIZE];

static void *work(void *unused) {
    for (;;) {
        int index = atomic_fetch_add(&next_index, 1);
        if (index >= SIZE)
            return unused;
        elements[index]++;
    }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    for (int i = 0; i < SIZE; i++)
        assert(elements[i] == 1);
    return 0;
}
