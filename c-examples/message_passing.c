// expect: safe
// reason: The flag is set after the data was written, and memory is sequentially consistent.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int data, ready;

static void *send(void *unused) {
    data = 42;
    ready = 1;
    return unused;
}

static void *receive(void *unused) {
    while (!ready) {
    }
    assert(data == 42);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, send, 0);
    pthread_create(&b, 0, receive, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
