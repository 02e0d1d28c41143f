// expect: unsafe
// reason: Each of three threads may hold one lock and wait for the next one's.
// options: --property no-deadlock
// size: small
// optimised: same
#include <pthread.h>

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t third_lock = PTHREAD_MUTEX_INITIALIZER;
static int turns[3];

static void *first(void *argument) {
    pthread_mutex_lock(&first_lock);
    pthread_mutex_lock(&second_lock);
    turns[0]++;
    pthread_mutex_unlock(&second_lock);
    pthread_mutex_unlock(&first_lock);
    return argument;
}

static void *second(void *argument) {
    pthread_mutex_lock(&second_lock);
    pthread_mutex_lock(&third_lock);
    turns[1]++;
    pthread_mutex_unlock(&third_lock);
    pthread_mutex_unlock(&second_lock);
    return argument;
}

static void *third(void *argument) {
    pthread_mutex_lock(&third_lock);
    pthread_mutex_lock(&first_lock); // deadlock
    turns[2]++;
    pthread_mutex_unlock(&first_lock);
    pthread_mutex_unlock(&third_lock);
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, second, NULL);
    pthread_create(&threads[1], NULL, third, NULL);
    first(NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return turns[0] - turns[1];
}
