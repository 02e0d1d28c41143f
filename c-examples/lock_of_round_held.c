// expect: safe
// reason: Every round has a mutex of its own, whose life ends while it is held: that is none that is initialised while it is held.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    int result = 0;
    for (int round = 0; round < 2; round++) {
        pthread_mutex_t mutex;
        pthread_mutex_t *other = malloc(sizeof *other);
        pthread_mutex_init(&mutex, 0);
        pthread_mutex_init(other, 0);
        result |= pthread_mutex_lock(&mutex) | pthread_mutex_lock(other);
        free(other);
    }
    assert(result == 0);
}
