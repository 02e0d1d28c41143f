// expect: safe
// reason: A word holds an address first and then a number with high bits, whose upper half is read exactly.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int node;
static union {
    void *address;
    unsigned long number;
    unsigned halves[2];
} volatile word;

static void *mark(void *unused) {
    word.number = 0x8000ffff12345678;
    return unused;
}

int main(void) {
    pthread_t thread;
    word.address = &node;
    pthread_create(&thread, 0, mark, 0);
    pthread_join(thread, 0);
    assert(word.halves[1] == 0x8000ffff);
    return 0;
}
