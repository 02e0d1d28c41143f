// expect: safe
// reason: The pointer is moved only if the size is that of a part of the arena.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static char arena[64];
static char *top = arena + sizeof arena;
static _Atomic size_t wanted = 8;

static void *enlarge(void *unused) {
    wanted = (1 << 30) + sizeof arena;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, enlarge, 0);
    size_t size = wanted;
    char *block = size <= sizeof arena ? top - size : top;
    assert(block != NULL);
    pthread_join(thread, 0);
    return 0;
}
