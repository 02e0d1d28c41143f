// expect: unsafe
// reason: The function may return before the thread has read the variable that it was handed.
// options: --property valid-deref
// size: small
// optimised: LLVM removes the variable, whose content nobody may read any more when the function has returned
#include <pthread.h>
#include <stdlib.h>

static int seen;

static void *read_it(void *argument) {
    seen = *(int *)argument; // use after scope
    return NULL;
}

static pthread_t start(int value) {
    pthread_t thread;
    int kept = value + 1;
    pthread_create(&thread, NULL, read_it, &kept);
    return thread;
}

int main(void) {
    pthread_t thread = start(4);
    pthread_join(thread, NULL);
    return seen;
}
