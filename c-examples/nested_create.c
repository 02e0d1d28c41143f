// expect: safe
// reason: The child joins the grandchild before it returns, so joining the child waits for both.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int value;

static void *grandchild(void *unused) {
    value = 2;
    return unused;
}

static void *child(void *unused) {
    value = 1;
    pthread_t t;
    pthread_create(&t, 0, grandchild, 0);
    pthread_join(t, 0);
    assert(value == 2);
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
