// expect: safe
// reason: Both workers add under the mutex, and all sums are exact.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static double level = 1.5;
static float scale = 1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    level += 0.25;
    scale *= 0.5f;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t workers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], 0);
    assert(level == 2.0 && scale == 0.25f);
    return 0;
}
