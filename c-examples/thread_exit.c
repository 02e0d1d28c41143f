// expect: safe
// reason: pthread_exit ends the thread from within a function, so the store after it never happens.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int value;

static void leave_if(int condition) {
    if (condition)
        pthread_exit(&value);
}

static void *work(void *unused) {
    value = 1;
    leave_if(1);
    value = 2;
    return unused;
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, &result);
    assert(result == &value);
    assert(value == 1);
    return 0;
}
