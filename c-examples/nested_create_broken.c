// expect: unsafe
// reason: No thread joins the grandchild, so it may write after the child has returned.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int value;

static void *grandchild(void *unused) {
    value = 2;
    return unused;
}

static void *child(void *unused) {
    pthread_t t;
    pthread_create(&t, 0, grandchild, 0);
    pthread_detach(t);
    value = 3;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    pthread_join(t, 0);
    assert(value == 3);
    return 0;
}
