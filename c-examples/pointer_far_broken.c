// expect: unknown
// reason: A pointer a gigabyte before the arena has no value in C; on a machine it may be null.
// size: small
// optimised: LLVM takes a pointer that was moved for one that is not null
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
    char *block = size ? top - size : NULL;
    assert(block != NULL);
    pthread_join(thread, 0);
    return 0;
}
