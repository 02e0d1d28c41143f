// expect: safe
// reason: Memory that is taken from the stack in a block lasts until the function returns, also behind the block.
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
        pthread_create(&thread, 0, fill, memory);
    }
    pthread_join(thread, 0);
    assert(*memory == 5);
    return 0;
}
