// expect: safe
// reason: The sum is computed only where there is a base, and is then an address in the table.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

unsigned char __VERIFIER_nondet_uchar(void);

static char table[32768];
static char *base;
static long other;

static void *look(void *unused) {
    if (!base)
        return unused;
    uintptr_t entry = (uintptr_t)base + 0x4000;
    assert(entry != (uintptr_t)&other);
    return unused;
}

int main(void) {
    pthread_t thread;
    if (__VERIFIER_nondet_uchar() % 2)
        base = table;
    pthread_create(&thread, 0, look, 0);
    pthread_join(thread, 0);
    return 0;
}
