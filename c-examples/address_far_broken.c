// expect: unknown
// reason: A pointer that is moved by four gigabytes in steps may have the number of any other object, but is no pointer to it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static char array[16];
static char other[16];
static char *volatile place = array;

static void *move(void *unused) {
    for (int i = 0; i < 4; i++)
        place += 1 << 30;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, move, 0);
    pthread_join(thread, 0);
    assert(place != other);
    return 0;
}
