// expect: safe
// reason: The writer comes in while there are no readers, and readers while there is no writer, each looked at and
//   said in one step. So the value stays as it is while a reader reads it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

static volatile int writers, readers, value;

static void *change(void *unused) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(writers == 0 && readers == 0);
    writers = 1;
    __VERIFIER_atomic_end();
    value = 3;
    writers = 0;
    return unused;
}

static void *look(void *unused) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(writers == 0);
    readers++;
    __VERIFIER_atomic_end();
    int copy = value;
    assert(copy == value);
    __VERIFIER_atomic_begin();
    readers--;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, change, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
