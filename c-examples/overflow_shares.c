// expect: safe
// reason: Each share is between 0 and 1000, so the sum of two is far from the end of the type.
// options: --property no-overflow
// size: small
// optimised: same
#include <pthread.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *argument) {
    int share = __VERIFIER_nondet_int();
    __VERIFIER_assume(share >= 0 && share <= 1000);
    pthread_mutex_lock(&lock);
    sum += share;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    return 0;
}
