// Two threads take turns by semaphores, so their output is in order; a read-write lock and once are used on the way.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t turn[2];
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int total, prepared;

static void prepare(void) { prepared++; }

static void *speak(void *argument) {
    long me = (long)argument;
    pthread_once(&once, prepare);
    for (int i = 0; i < 5; i++) {
        sem_wait(&turn[me]);
        printf("%ld says %d\n", me, i);
        pthread_rwlock_wrlock(&lock);
        total += i;
        pthread_rwlock_unlock(&lock);
        sem_post(&turn[1 - me]);
    }
    return 0;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&turn[0], 0, 1);
    sem_init(&turn[1], 0, 0);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, speak, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    pthread_rwlock_rdlock(&lock);
    printf("total %d, prepared %d\n", total, prepared);
    pthread_rwlock_unlock(&lock);
    return 0;
}
