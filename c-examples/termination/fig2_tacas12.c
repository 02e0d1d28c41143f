// expect: safe
// reason: Each round lowers `x`, or leaves it and lowers `y`, whatever `y` has become when `x` was lowered. The other
//   thread only lowers `x`, at most as often as it is above 0.
// options: --property termination
// size: small
// optimised: same
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char x, y;

static void *lower(void *unused) {
    pthread_mutex_lock(&lock);
    while (x > 0) {
        x--;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    x = __VERIFIER_nondet_uchar() % 16;
    y = __VERIFIER_nondet_uchar() % 16;
    pthread_create(&thread, NULL, lower, NULL);
    pthread_mutex_lock(&lock);
    while (x > 0 && y > 0) {
        if (__VERIFIER_nondet_bool()) {
            x--;
            y = __VERIFIER_nondet_uchar() % 16;
        } else {
            y--;
        }
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
