// expect: unsafe
// reason: Any number may replace the address, so the upper half that is read may be every one.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

static int node;
static union {
    void *address;
    unsigned long number;
    unsigned halves[2];
} volatile word;

static void *mark(void *unused) {
    word.number = __VERIFIER_nondet_ulong();
    return unused;
}

int main(void) {
    pthread_t thread;
    word.address = &node;
    pthread_create(&thread, 0, mark, 0);
    pthread_join(thread, 0);
    assert(word.halves[1] != 0x8000ffff);
    return 0;
}
