// expect: unsafe
// reason: The flag is set before the data is written.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int data, ready;

static void *send(void *unused) {
    ready = 1;
    data = 42;
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
