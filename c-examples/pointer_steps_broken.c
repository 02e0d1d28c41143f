// expect: unknown
// reason: Each block is less than a gigabyte, but three are more than lies below the arena on some machines.
// size: small
// optimised: clang takes a pointer that is moved for one that is not null
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static char arena[64];
static _Atomic size_t size = 800000000;

static void *reserve(void *unused) {
    char *top = arena + sizeof arena;
    for (int block = 0; block < 3; block++)
        top -= size;
    assert(top != NULL);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reserve, 0);
    pthread_join(thread, 0);
    return 0;
}
