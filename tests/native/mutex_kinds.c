// What operations of recursive and error-checking mutexes return.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutexes[2];

static void *other(void *unused) {
    for (int i = 0; i < 2; i++)
        printf("%d %d\n", pthread_mutex_trylock(&mutexes[i]), pthread_mutex_unlock(&mutexes[i]));
    return unused;
}

int main(void) {
    int kinds[] = {PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK};
    for (int i = 0; i < 2; i++) {
        pthread_mutexattr_t attributes;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_settype(&attributes, kinds[i]);
        pthread_mutex_init(&mutexes[i], &attributes);
        int first = pthread_mutex_lock(&mutexes[i]);
        printf("%d %d\n", first, pthread_mutex_lock(&mutexes[i]));
    }
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    pthread_join(thread, 0);
    for (int i = 0; i < 2; i++) {
        int first = pthread_mutex_unlock(&mutexes[i]);
        int second = pthread_mutex_unlock(&mutexes[i]);
        printf("%d %d\n", first, second);
    }
    return 0;
}
