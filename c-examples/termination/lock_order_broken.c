// expect: unsafe
// reason: Each thread may have one mutex and wait for the other one.
// options: --property termination
// size: small
// optimised: same
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static unsigned char both;

static void *work(void *unused) {
    for (unsigned char i = 0; i < 2; i++) {
        pthread_mutex_lock(&left);
        pthread_mutex_lock(&right);
        both++;
        pthread_mutex_unlock(&right);
        pthread_mutex_unlock(&left);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&right);
    pthread_mutex_lock(&left);
    both++;
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    pthread_join(thread, NULL);
    return 0;
}
