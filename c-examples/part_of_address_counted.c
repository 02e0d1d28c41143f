// expect: safe
// reason: Each thread adds in one step to one half of a word. The word holds an address only later, when the threads have ended.
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
    while (!atomic_compare_exchange_weak(&word.halves[1], &found, found + 1))
        ;
    atomic_fetch_add(&word.halves[0], 1);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, count, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(word.halves[0] == 2 && word.halves[1] == 2);
    word.pointer = &target;
    assert(*word.pointer == 5);
    return 0;
}
