// expect: safe
// reason: fetch-and-add gives every thread another ticket, and only the holder of the served ticket
//   serves the next.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uchar next_ticket, now_serving;
static int counter;

static void *work(void *unused) {
    for (int i = 0; i < 2; i++) {
        unsigned char mine = atomic_fetch_add(&next_ticket, 1);
        while (atomic_load(&now_serving) != mine) {
        }
        counter++;
        atomic_store(&now_serving, (unsigned char)(mine + 1));
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 4);
    return 0;
}
