// expect: unsafe
// reason: A thread passes the token on before it leaves its critical section.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int token;
static volatile int inside;

static void *pass_on(void *number) {
    int me = *(int *)number;
    for (;;) {
        while (atomic_load(&token) != me) {
        }
        inside = me;
        atomic_store(&token, 1 - me);
        assert(inside == me);
    }
    return 0;
}

int main(void) {
    static int numbers[2] = {0, 1};
    pthread_t a, b;
    pthread_create(&a, 0, pass_on, &numbers[0]);
    pthread_create(&b, 0, pass_on, &numbers[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
