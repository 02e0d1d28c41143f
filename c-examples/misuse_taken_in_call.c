// expect: safe
// reason: The lock is recursive, so the function that is called may take it again.
// options: --property no-lock-misuse
// size: small
// optimised: same
#include <pthread.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock;
static int balance, warnings;

static void warn(void) {
    pthread_mutex_lock(&lock);
    warnings++;
    pthread_mutex_unlock(&lock);
}

static void *withdraw(void *argument) {
    pthread_mutex_lock(&lock);
    balance -= 10;
    if (balance < 10)
        warn();
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attributes);
    balance = __VERIFIER_nondet_int() ? 20 : 100;
    pthread_create(&thread, NULL, withdraw, NULL);
    withdraw(NULL);
    pthread_join(thread, NULL);
    return 0;
}
