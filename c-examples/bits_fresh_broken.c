// expect: unsafe
// reason: Both fields are written, so it does not matter what the rest of their unit held before: a
//   page of two bytes starts two bytes, not one, behind the one before.
// size: small
// optimised: same
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
    order.exponent = 1;
    order.offset = 0;
    pthread_t thread;
    pthread_create(&thread, 0, start_page, &order);
    pthread_join(thread, 0);
    return 0;
}
