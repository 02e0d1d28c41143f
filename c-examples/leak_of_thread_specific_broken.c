// expect: unsafe
// reason: The key has no destructor, so what the thread has stored there is lost when it ends.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *work(void *argument) {
    pthread_setspecific(key, malloc(4));
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, NULL);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0; // memory leak
}
