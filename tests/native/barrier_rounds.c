// Rounds between barriers: everybody reads what everybody else wrote in the round before.
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, ROUNDS = 4 };

static pthread_barrier_t barrier;
static long values[THREADS];

static void *work(void *argument) {
    long me = (long)argument;
    for (int round = 0; round < ROUNDS; round++) {
        long sum = 0;
        for (int i = 0; i < THREADS; i++)
            sum += values[i];
        pthread_barrier_wait(&barrier);
        values[me] = sum + me + 1;
        pthread_barrier_wait(&barrier);
    }
    return (void *)values[me];
}

int main(void) {
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, 0, THREADS);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        printf("%ld\n", (long)result);
    }
    return 7;
}
