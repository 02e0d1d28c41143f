// expect: unknown
// reason: One field is not written, and what its bits held before is not known: the size of a page
//   may be anything, also nothing.
// size: small
// optimised: clang takes 0 for the field that was never written
#include <assert.h>
#include <pthread.h>

struct order {
    unsigned exponent : 6;
    signed offset : 4;
};

static void *start_page(void *argument) {
    struct order *order = argument;
    unsigned page = (1u << order->exponent) + order->offset;
    assert(page == 1);
    return 0;
}

int main(void) {
    struct order order;
    order.offset = 0;
    pthread_t thread;
    pthread_create(&thread, 0, start_page, &order);
    pthread_join(thread, 0);
    return 0;
}
