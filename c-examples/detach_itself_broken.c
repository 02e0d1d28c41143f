// expect: unknown
// reason: The thread may have detached itself before main joins it.
// size: small
// optimised: same
#include <pthread.h>

static void *work(void *unused) {
    pthread_detach(pthread_self());
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
