// expect: unknown
// reason: Both main and a thread join the worker; the second of them uses the handle of a thread that was joined.
// size: small
// optimised: same
#include <pthread.h>

static pthread_t worker;

static void *work(void *unused) {
    return unused;
}

static void *join_worker(void *unused) {
    pthread_join(worker, 0);
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&worker, 0, work, 0);
    pthread_create(&other, 0, join_worker, 0);
    pthread_join(worker, 0);
    pthread_join(other, 0);
    return 0;
}
