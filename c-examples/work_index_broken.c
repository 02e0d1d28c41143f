// expect: unsafe
// reason: Reading and advancing the index are two steps, so both threads can get the same element.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

enum { SIZE = 2 };

static volatile int next_index;
static volatile int elements[SIZE];

static void *work(void *unused) {
    for (;;) {
        int index = next_index;
        if (index >= SIZE)
            return unused;
        next_index = index + 1;
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
        assert(elements[i] < 2);
    return 0;
}
