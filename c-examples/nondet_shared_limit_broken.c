// expect: unsafe
// reason: The assumption allows a limit of 5, but the threads count to 4 together at most.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int condition);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char limit, count;

static void *work(void *unused) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        if (count < limit)
            count++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    limit = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(limit <= 5);
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == limit);
    return 0;
}
