// expect: unsafe
// reason: Each of five threads may hold one lock and wait for the next one's.
// options: --property no-deadlock
// size: medium
// optimised: same
#include <pthread.h>

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t third_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t fourth_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t fifth_lock = PTHREAD_MUTEX_INITIALIZER;
static int turns[5];

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
    pthread_mutex_lock(&fourth_lock);
    turns[2]++;
    pthread_mutex_unlock(&fourth_lock);
    pthread_mutex_unlock(&third_lock);
    return argument;
}

static void *fourth(void *argument) {
    pthread_mutex_lock(&fourth_lock);
    pthread_mutex_lock(&fifth_lock);
    turns[3]++;
    pthread_mutex_unlock(&fifth_lock);
    pthread_mutex_unlock(&fourth_lock);
    return argument;
}

static void *fifth(void *argument) {
    pthread_mutex_lock(&fifth_lock);
    pthread_mutex_lock(&first_lock); // deadlock
    turns[4]++;
    pthread_mutex_unlock(&first_lock);
    pthread_mutex_unlock(&fifth_lock);
    return argument;
}

int main(void) {
    pthread_t threads[4];
    pthread_create(&threads[0], NULL, second, NULL);
    pthread_create(&threads[1], NULL, third, NULL);
    pthread_create(&threads[2], NULL, fourth, NULL);
    pthread_create(&threads[3], NULL, fifth, NULL);
    first(NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    pthread_join(threads[2], NULL);
    pthread_join(threads[3], NULL);
    return turns[0] - turns[1];
}
