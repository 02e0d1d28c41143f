// expect: unsafe
// reason: When the first thread starts no other thread writes the variable, but the thread that
//   main creates later does, between the first one's two reads.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int value;

static void *read_twice(void *unused) {
    int first = value;
    int second = value;
    assert(first == second);
    return unused;
}

static void *write_once(void *unused) {
    value = 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, read_twice, 0);
    pthread_create(&b, 0, write_once, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
