// expect: unknown
// reason: Which of two handles is less, byte by byte, is open.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void *run(void *unused) { return unused; }

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    assert(memcmp(&a, &b, sizeof a) <= 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
