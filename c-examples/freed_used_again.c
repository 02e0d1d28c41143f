// expect: unsafe
// reason: The memory is used by its old pointer after it was freed. That it may have been allocated again, so that the assertion fails, makes
//   no violation of it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *kept;

static void *replace(void *unused) {
    free(kept);
    int *fresh = malloc(sizeof *fresh);
    if (fresh)
        *fresh = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    int *old = malloc(sizeof *old);
    if (!old)
        return 0;
    *old = 1;
    kept = old;
    pthread_create(&thread, 0, replace, 0);
    pthread_join(thread, 0);
    assert(*old == 1); // use after free
    return 0;
}
