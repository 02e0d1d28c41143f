// expect: safe
// reason: The variable lives from the start of its block, and a jump within the block leaves it as it is.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int *place;

static void *increment(void *argument) {
    ++*place;
    return argument;
}

int main(void) {
    int runs = 0;
    switch (runs) {
        int count;
    case 0:
        count = 0;
        place = &count;
    again:;
        pthread_t thread;
        pthread_create(&thread, 0, increment, 0);
        pthread_join(thread, 0);
        if (++runs < 2)
            goto again;
        assert(count == 2);
    }
    return 0;
}
