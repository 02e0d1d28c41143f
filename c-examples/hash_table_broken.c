// expect: unsafe
// reason: The empty bucket is tested and written in two steps, so two values can be put in the same
//   bucket and one is lost.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 3 };

static atomic_int table[SIZE];

static void put(int value) {
    for (int i = 0; i < SIZE; i++) {
        int index = (value / 10 + i) % SIZE;
        int seen = atomic_load(&table[index]);
        if (seen == 0) {
            atomic_store(&table[index], value);
            return;
        }
        if (seen == value)
            return;
    }
}

static int contains(int value) {
    for (int i = 0; i < SIZE; i++)
        if (atomic_load(&table[i]) == value)
            return 1;
    return 0;
}

static void *put_21(void *unused) {
    put(21);
    return unused;
}

static void *put_24(void *unused) {
    put(24);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, put_21, 0);
    pthread_create(&b, 0, put_24, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(contains(21) && contains(24));
    return 0;
}
