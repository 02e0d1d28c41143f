// expect: safe
// reason: Each of two threads joins the thread whose handle it is given, so both results are there in the end.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static int results[2];

static void *work(void *number) {
    results[(long)number] = 1;
    return 0;
}

static void *finish(void *handle) {
    pthread_join((pthread_t)handle, 0);
    return 0;
}

int main(void) {
    pthread_t workers[2], finishers[2];
    for (long i = 0; i < 2; i++) {
        pthread_create(&workers[i], 0, work, (void *)i);
        pthread_create(&finishers[i], 0, finish, (void *)workers[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(finishers[i], 0);
    assert(results[0] && results[1]);
    return 0;
}
