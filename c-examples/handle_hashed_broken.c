// expect: unknown
// reason: The threads count without a lock and rely on their handles to lead to different stripes, which not all handles do.
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int stripes[8];

static void *count(void *unused) {
    stripes[(pthread_self() >> 12) % 8]++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    int sum = 0;
    pthread_create(&a, 0, count, 0);
    pthread_create(&b, 0, count, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    for (int i = 0; i < 8; i++)
        sum += stripes[i];
    assert(sum == 2);
    return 0;
}
