// expect: safe
// reason: Two threads add to each other's variable; with three rounds each, no interleaving gets
//   beyond the eighth Fibonacci number 21, which strict alternation reaches.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int i = 1, j = 1;

static void *add_to_i(void *unused) {
    for (int k = 0; k < 3; k++)
        i += j;
    return unused;
}

static void *add_to_j(void *unused) {
    for (int k = 0; k < 3; k++)
        j += i;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add_to_i, 0);
    pthread_create(&b, 0, add_to_j, 0);
    int seen = i;
    assert(seen <= 21);
    seen = j;
    assert(seen <= 21);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
