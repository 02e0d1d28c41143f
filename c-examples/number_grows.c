// expect: safe
// reason: The largest number is reached where each thread adds what the other one has just added: 1, 2, 3, 5, ..., 144.
// options: --property unreach-call
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int left = 1, right = 1;

static void *add_right(void *argument) {
    for (int i = 0; i < 5; i++)
        left += right;
    return argument;
}

static void *add_left(void *argument) {
    for (int i = 0; i < 5; i++)
        right += left;
    return argument;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, add_right, 0);
    pthread_create(&other, 0, add_left, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(left <= 144 && right <= 144);
}
