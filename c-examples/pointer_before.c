// expect: safe
// reason: The room that is left is compared with what is needed, so no pointer leads before the arena.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static char arena[64];
static char *top = arena + sizeof arena;
static _Atomic size_t wanted = 8;

static char *allocate(size_t size) {
    if ((size_t)(top - arena) < size)
        return NULL;
    top -= size;
    return top;
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
