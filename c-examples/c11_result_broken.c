// expect: unsafe
// reason: The thread ends by `thrd_exit`, with the number itself and not with the next one.
// size: small
// optimised: same
#include <assert.h>
#include <threads.h>

static void check(int number) {
    if (number < 0)
        thrd_exit(number);
}

static int start(void *argument) {
    int number = *(int *)argument;
    check(number);
    return number + 1;
}

int main(void) {
    thrd_t thread;
    int negative = -7, result;
    thrd_create(&thread, start, &negative);
    thrd_join(thread, &result);
    assert(result == -6);
    return 0;
}
