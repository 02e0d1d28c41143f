// expect: safe
// reason: `thrd_join` gives the number that the thread ended with, by `thrd_exit` in a function that it calls, or by its return.
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
    thrd_t first, second;
    int negative = -7, positive = 7, result;
    thrd_create(&first, start, &negative);
    thrd_create(&second, start, &positive);
    assert(thrd_join(first, &result) == thrd_success && result == -7);
    assert(thrd_join(second, &result) == thrd_success && result == 8);
    return 0;
}
