// A queue of one place; the consumer sees the items in order.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int item, full;

static void *produce(void *unused) {
    for (int i = 1; i <= 20; i++) {
        pthread_mutex_lock(&mutex);
        while (full)
            pthread_cond_wait(&changed, &mutex);
        item = i * i;
        full = 1;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t producer;
    pthread_mutex_init(&mutex, 0);
    pthread_create(&producer, 0, produce, 0);
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&mutex);
        while (!full)
            pthread_cond_wait(&changed, &mutex);
        printf("%d ", item);
        full = 0;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(producer, 0);
    pthread_mutex_destroy(&mutex);
    puts("end");
    return 0;
}
