// expect: unknown
// reason: The copy of the held mutex is used. That another block was freed meanwhile changes nothing about it.
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    pthread_mutex_t *lock = calloc(1, sizeof *lock), *copy = malloc(sizeof *copy);
    char *other = malloc(8);
    pthread_mutex_init(lock, 0);
    pthread_mutex_lock(lock);
    memcpy(copy, lock, sizeof *copy);
    free(other);
    pthread_mutex_unlock(lock);
    pthread_mutex_trylock(copy);
    free(copy);
    free(lock);
    return 0;
}
