// expect: safe
// reason: The table is filled in a routine that runs once, and who calls it later waits until it is filled.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>

static int table[2];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill(void) {
    table[0] = 1;
    table[1] = 2;
}

static void *look(void *argument) {
    pthread_once(&once, fill);
    *(int *)argument = table[1];
    return NULL;
}

int main(void) {
    int one = 0, other = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, look, &one);
    pthread_once(&once, fill);
    other = table[1];
    pthread_join(thread, NULL);
    return one + other;
}
