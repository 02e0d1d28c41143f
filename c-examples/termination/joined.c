// expect: safe
// reason: The flag is up before the thread starts that looks at it, so that thread ends, and so does the one that
//   joins it.
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
    must_end = true;
    pthread_create(&spinner, NULL, spin, NULL);
    pthread_join(spinner, NULL);
    return unused;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    pthread_join(worker, NULL);
    return 0;
}
