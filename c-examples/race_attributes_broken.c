// expect: unsafe
// reason: The kind in the attributes is changed while the thread may make a mutex with them.
// options: --property no-data-race
// size: small
// optimised: same
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

static pthread_mutexattr_t attributes;
static pthread_mutex_t left, right;

static void *make(void *argument) {
    pthread_mutex_init(&left, &attributes); // data race
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_init(&attributes);
    pthread_create(&thread, NULL, make, NULL);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&right, &attributes);
    pthread_join(thread, NULL);
    return 0;
}
