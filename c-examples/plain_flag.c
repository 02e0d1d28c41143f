// expect: unsafe
// reason: Nothing is volatile or atomic: under sequential consistency the waiting loop reads the
//   flag again each time, ends, and finds the data not yet written.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int data, ready;

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
