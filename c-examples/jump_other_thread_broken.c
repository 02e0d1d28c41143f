// expect: unknown
// reason: The place is one of the main thread, and another thread must not jump there.
// size: small
// optimised: same
#include <pthread.h>
#include <setjmp.h>

static jmp_buf place;

static void *work(void *unused) {
    (void)unused;
    longjmp(place, 1);
}

int main(void) {
    pthread_t t;
    if (setjmp(place) == 0) {
        pthread_create(&t, 0, work, 0);
        pthread_join(t, 0);
    }
    return 0;
}
