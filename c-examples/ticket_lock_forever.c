// expect: safe
// reason: fetch-and-add gives every thread another ticket, and only the holder of the served ticket
//   serves the next. Tickets wrap around at 256, far more than there are threads; the threads run
//   for ever.
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uchar next_ticket, now_serving;
static volatile int inside;

static void *work(void *number) {
    int me = *(int *)number;
    for (;;) {
        unsigned char mine = atomic_fetch_add(&next_ticket, 1);
        while (atomic_load(&now_serving) != mine) {
        }
        inside = me;
        assert(inside == me);
        atomic_store(&now_serving, (unsigned char)(mine + 1));
    }
    return 0;
}

int main(void) {
    static int numbers[2] = {1, 2};
    pthread_t a, b;
    pthread_create(&a, 0, work, &numbers[0]);
    pthread_create(&b, 0, work, &numbers[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
