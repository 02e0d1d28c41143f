// expect: unsafe
// reason: The variable that is returned ends with its round, and the thread gets that of the round before.
// size: small
// optimised: clang marks no lifetime of a variable that it puts where the result goes, and no block is left of optimised code
#include <pthread.h>

struct job {
    long *next;
    long numbers[4];
};

static void *increment(void *argument) {
    ++*(long *)argument; // use after scope
    return 0;
}

static struct job make(long number) {
    long *last = 0;
    for (long round = 0; round < 2; round++) {
        struct job job = {0};
        if (last) {
            pthread_t thread;
            pthread_create(&thread, 0, increment, last);
            pthread_join(thread, 0);
        }
        last = &job.numbers[1];
        if (round == number) {
            return job;
        }
    }
    return (struct job){0};
}

int main(void) {
    return (int)make(1).numbers[1];
}
