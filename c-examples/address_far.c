// expect: safe
// reason: A number made of a pointer leads half a gigabyte away from the array and back. The other thread's array is never meant.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static long array[2];
static long other[2];
static volatile uintptr_t place;

static void *write_other(void *unused) {
    other[0] = 3;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, write_other, 0);
    place = (uintptr_t)array;
    place += 1 << 29;
    assert(place != (uintptr_t)array);
    place -= 1 << 29;
    *(long *)place = 5;
    pthread_join(thread, 0);
    assert(array[0] == 5 && other[0] == 3);
    return 0;
}
