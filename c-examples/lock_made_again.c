// expect: safe
// reason: Locks in local and heap memory are initialised anew after each round, when no thread holds them.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int total;

static void round_of(pthread_mutex_t *mutex) {
    pthread_rwlock_t lock;
    pthread_rwlock_init(&lock, 0);
    pthread_rwlock_wrlock(&lock);
    pthread_mutex_lock(mutex);
    total++;
    pthread_mutex_unlock(mutex);
    pthread_rwlock_unlock(&lock);
}

int main(void) {
    pthread_mutex_t mutex;
    pthread_spinlock_t *spin = malloc(sizeof *spin);
    for (int round = 0; round < 2; round++) {
        pthread_mutex_init(&mutex, 0);
        pthread_spin_init(spin, 0);
        pthread_spin_lock(spin);
        round_of(&mutex);
        pthread_spin_unlock(spin);
    }
    assert(total == 2);
    free((void *)spin);
}
