// expect: unsafe
// reason: The memory is there behind its block, but the other thread may not have written to it yet.
// size: small
// optimised: same
#include <alloca.h>
#include <assert.h>
#include <pthread.h>

static void *fill(void *memory) {
    *(int *)memory = 5;
    return 0;
}

int main(void) {
    pthread_t thread;
    int *memory;
    {
        memory = alloca(sizeof *memory);
        *memory = 0;
        pthread_create(&thread, 0, fill, memory);
    }
    assert(*memory == 5);
    pthread_join(thread, 0);
    return 0;
}
