// expect: unsafe
// reason: The ticket is drawn by a load and a store, so two threads can draw the same one and enter
//   together.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uchar next_ticket, now_serving;
static volatile int counter;

static void *work(void *unused) {
    unsigned char mine = atomic_load(&next_ticket);
    atomic_store(&next_ticket, (unsigned char)(mine + 1));
    while (atomic_load(&now_serving) != mine) {
    }
    counter++;
    atomic_store(&now_serving, (unsigned char)(mine + 1));
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
