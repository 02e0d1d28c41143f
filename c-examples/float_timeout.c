// expect: safe
// reason: However long the wait takes, the worker adds its number once, and main joins it before it looks.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int done;
static int sum;

static void *work(void *unused) {
    (void)unused;
    sum += 2;
    done = 1;
    return 0;
}

int main(void) {
    pthread_t worker;
    time_t start, now;
    double passed = 0.0;
    pthread_create(&worker, 0, work, 0);
    time(&start);
    while (!done && passed < 0.5) {
        time(&now);
        passed = difftime(now, start);
    }
    pthread_join(worker, 0);
    assert(sum == 2);
    return 0;
}
