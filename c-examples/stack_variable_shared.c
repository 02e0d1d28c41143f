// expect: safe
// reason: Main lends the address of a variable on its stack to a thread and reads it after joining.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static void *fill(void *argument) {
    int *numbers = argument;
    for (int i = 0; i < 3; i++)
        numbers[i] = i * i;
    return 0;
}

int main(void) {
    int numbers[3];
    pthread_t t;
    pthread_create(&t, 0, fill, numbers);
    pthread_join(t, 0);
    assert(numbers[0] == 0 && numbers[1] == 1 && numbers[2] == 4);
    return 0;
}
