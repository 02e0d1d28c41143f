// expect: unsafe
// reason: All philosophers may hold their left fork and wait for the right one.
// options: --property no-deadlock
// size: medium
// optimised: same
#include <pthread.h>

enum { SEATS = 6 };

static pthread_mutex_t forks[SEATS];

static void *eat(void *argument) {
    pthread_mutex_t *left = argument;
    pthread_mutex_t *right = left + 1 < forks + SEATS ? left + 1 : forks;
    pthread_mutex_t *first = left;
    pthread_mutex_t *second = right;
    pthread_mutex_lock(first);
    pthread_mutex_lock(second); // deadlock
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    return NULL;
}

int main(void) {
    pthread_t threads[SEATS];
    for (int seat = 0; seat < SEATS; seat++)
        pthread_mutex_init(&forks[seat], NULL);
    for (int seat = 0; seat < SEATS; seat++)
        pthread_create(&threads[seat], NULL, eat, &forks[seat]);
    for (int seat = 0; seat < SEATS; seat++)
        pthread_join(threads[seat], NULL);
    return 0;
}
