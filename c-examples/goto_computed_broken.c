// expect: unsafe
// reason: Doubled before the second increment, the sum is 3.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

#pragma clang diagnostic ignored "-Wgnu-label-as-value"

static int run(const int *code) {
    static void *const labels[] = {&&add, &&twice, &&stop};
    int value = 0;
next:
    goto *labels[*code++];
add:
    value += 1;
    goto next;
twice:
    value *= 2;
    goto next;
stop:
    return value;
}

static void *work(void *result) {
    const int code[] = {0, 1, 0, 2};
    *(int *)result = run(code);
    return 0;
}

int main(void) {
    const int code[] = {0, 1, 1, 2};
    int result;
    pthread_t t;
    pthread_create(&t, 0, work, &result);
    assert(run(code) == 4);
    pthread_join(t, 0);
    assert(result == 4);
    return 0;
}
