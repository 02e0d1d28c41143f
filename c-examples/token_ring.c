// expect: safe
// reason: Three threads pass a token round for ever; only the thread whose number it shows touches
//   the shared value.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int token;
static int inside;

static void *pass_on(void *number) {
    int me = *(int *)number;
    for (;;) {
        while (atomic_load(&token) != me) {
        }
        inside++;
        assert(inside == 1);
        inside--;
        atomic_store(&token, me == 2 ? 0 : me + 1);
    }
    return 0;
}

int main(void) {
    static int numbers[3] = {0, 1, 2};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, pass_on, &numbers[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
