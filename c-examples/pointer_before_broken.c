// expect: unknown
// reason: The pointer before the arena has no value in C; where the arena lies low, its number wraps around and the test passes.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static char arena[64];
static char *top = arena + sizeof arena;
static _Atomic size_t wanted = 8;

static char *allocate(size_t size) {
    char *block = top - size;
    if (block < arena)
        return NULL;
    top = block;
    return block;
}

static void *enlarge(void *unused) {
    wanted = 8192;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, enlarge, 0);
    char *block = allocate(wanted);
    assert(block == NULL || block == arena + 56);
    pthread_join(thread, 0);
    return 0;
}
