// expect: unsafe
// reason: A number of 16 bytes is written by two steps, and the other thread may read it in between.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

__extension__ typedef unsigned __int128 wide;

static volatile wide number;

static void *fill(void *unused) {
    number = ~(wide)0;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, fill, 0);
    wide seen = number;
    assert(seen == 0 || seen == ~(wide)0);
    pthread_join(thread, 0);
    return 0;
}
