// expect: safe
// reason: Both threads make a mutex with the same attributes, which nobody changes meanwhile.
// options: --property no-data-race
// size: small
// optimised: same
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

static pthread_mutexattr_t attributes;
static pthread_mutex_t left, right;

static void *make(void *argument) {
    pthread_mutex_init(&left, &attributes);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_init(&attributes);
    pthread_create(&thread, NULL, make, NULL);
    pthread_mutex_init(&right, &attributes);
    pthread_join(thread, NULL);
    return 0;
}
