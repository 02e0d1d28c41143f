// expect: safe
// reason: Two numbers of type `long` are the halves of one of 64 bits. In LP64 the first one is all of it.
// options: --data-model=ILP32
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static union {
    unsigned long halves[2];
    unsigned long long whole;
} word;

static void *write_half(void *half) {
    *(unsigned long *)half = 2;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, write_half, &word.halves[1]);
    word.halves[0] = 1;
    pthread_join(thread, 0);
    assert(word.whole == 0x200000001);
    return 0;
}
