// expect: unsafe
// reason: A number of 64 bits is written in two steps, so another thread may see half of it. In LP64 it is written in one.
// options: --data-model=ILP32
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile long long number;

static void *write_number(void *unused) {
    number = -1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, write_number, 0);
    long long seen = number;
    pthread_join(thread, 0);
    assert(seen == 0 || seen == -1);
    return 0;
}
