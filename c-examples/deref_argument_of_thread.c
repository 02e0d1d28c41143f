// expect: safe
// reason: The thread is joined before the function returns whose variable it reads.
// options: --property valid-deref
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

static int seen;

static void *read_it(void *argument) {
    seen = *(int *)argument;
    return NULL;
}

static pthread_t start(int value) {
    pthread_t thread;
    int kept = value + 1;
    pthread_create(&thread, NULL, read_it, &kept);
    pthread_join(thread, NULL);
    return thread;
}

int main(void) {
    pthread_t thread = start(4);
    (void)thread;
    return seen;
}
