// expect: unsafe
// reason: The flag is raised only when the thread that spins for it has been joined.
// options: --property termination
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_bool must_end;

static void *spin(void *unused) {
    while (!must_end) {
    }
    return unused;
}

static void *work(void *unused) {
    pthread_t spinner;
    pthread_create(&spinner, NULL, spin, NULL);
    pthread_join(spinner, NULL);
    must_end = true;
    return unused;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    pthread_join(worker, NULL);
    return 0;
}
