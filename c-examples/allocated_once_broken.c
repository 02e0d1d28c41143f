// expect: unsafe
// reason: Memory that is allocated once holds anything until it is written: no thread has set the counter to 0.
// size: small
// optimised: LLVM makes a variable without first content of the memory, and what that holds is not known.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *counter;

static void *count(void *unused) {
    pthread_mutex_lock(&lock);
    *counter += 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    counter = malloc(sizeof *counter);
    if (!counter)
        return 0;
    pthread_create(&thread, 0, count, 0);
    count(0);
    pthread_join(thread, 0);
    assert(*counter == 2);
    return 0;
}
