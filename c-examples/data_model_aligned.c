// expect: safe
// reason: A variable lies at a multiple of its alignment, however large that is.
// options: --data-model=ILP32
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static _Alignas(4194304) char first = 1;
static _Alignas(4194304) char second = 2;

static void *check(void *argument) {
    assert(((uintptr_t)argument & 2097151) == 0);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, check, &first);
    check(&second);
    pthread_join(thread, 0);
    return first - second + 1;
}
