// expect: unsafe
// reason: The variable, whose declaration the switch jumps over, ends with the block of the switch, and the thread may run later.
// size: small
// optimised: clang marks no lifetime of such a variable, and no block is left of optimised code
#include <pthread.h>

static int *place;

static void *increment(void *argument) {
    ++*place; // use after scope
    return argument;
}

int main(void) {
    pthread_t thread;
    int runs = 0;
    switch (runs) {
        int count;
    case 0:
        count = 0;
        place = &count;
        pthread_create(&thread, 0, increment, 0);
    }
    pthread_join(thread, 0);
    return 0;
}
