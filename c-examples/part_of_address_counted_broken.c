// expect: unsafe
// reason: A thread reads one half of a word and writes it in another step, so what the other one adds in between is lost.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static int target = 5;

static union {
    int *pointer;
    _Atomic uint32_t halves[2];
} word;

static void *count(void *unused) {
    uint32_t found = word.halves[1];
    word.halves[1] = found + 1;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, count, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(word.halves[1] == 2);
    word.pointer = &target;
    assert(*word.pointer == 5);
    return 0;
}
