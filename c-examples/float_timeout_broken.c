// expect: unsafe
// reason: The worker says that it is done before it adds its number, and main does not join it before it looks.
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
    done = 1;
    sum += 2;
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
    assert(sum == 2);
    return 0;
}
