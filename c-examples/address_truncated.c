// expect: safe
// reason: An address cut off to 32 bits still tells the place within 16 bytes, because elements of an aligned array lie so near to
//   each other; and two cut off in the same way are equal if the addresses are.
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static _Alignas(16) int pair[4];
static volatile uint32_t key;

static void *look(void *argument) {
    key = (uint32_t)(uintptr_t)argument;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, look, &pair[2]);
    pthread_join(thread, 0);
    assert(key == (uint32_t)(uintptr_t)&pair[2]);
    assert(key != (uint32_t)(uintptr_t)&pair[1]);
    assert(key % 16 == 8);
    return 0;
}
