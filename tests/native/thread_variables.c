// Variables of threads, keys, trylock, and a main thread that ends before the others.
#include <pthread.h>
#include <stdio.h>

static _Thread_local int own = 5;
static pthread_key_t key;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t first;

static void *work(void *argument) {
    own += *(int *)argument;
    pthread_setspecific(key, &own);
    while (pthread_mutex_trylock(&mutex) != 0) {
    }
    int seen = *(int *)pthread_getspecific(key);
    pthread_mutex_unlock(&mutex);
    return (void *)(long)seen;
}

static void *report(void *argument) {
    void *result;
    pthread_join(first, &result);
    own++;
    printf("%ld %d\n", (long)result + *(int *)argument, own);
    fflush(stdout);
    pthread_exit(0);
}

int main(void) {
    static int ten = 10, hundred = 100;
    pthread_t second;
    pthread_key_create(&key, 0);
    pthread_create(&first, 0, work, &ten);
    pthread_create(&second, 0, report, &hundred);
    pthread_detach(second);
    pthread_exit(0);
}
