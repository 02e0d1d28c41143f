// Increments under a mutex; the sum does not depend on the order.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *argument) {
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&mutex);
        sum += *(int *)argument;
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

int main(void) {
    pthread_t threads[3];
    int amounts[] = {1, 20, 300};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, add, &amounts[i]);
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(threads[i], &result);
        printf("thread %d added %d\n", i, *(int *)result);
    }
    printf("sum %d\n", sum);
    return sum % 100;
}
