// expect: safe
// reason: Two counts of references are given back in different orders, each with an order that acquires and
//   releases: whoever is last is behind all.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left = 2, right = 2;
static int left_value, right_value;

static void give_back_left(void) {
    int seen = left_value;
    (void)seen;
    if (atomic_fetch_sub_explicit(&left, 1, memory_order_acq_rel) == 1)
        left_value = -1;
}

static void give_back_right(void) {
    int seen = right_value;
    (void)seen;
    if (atomic_fetch_sub_explicit(&right, 1, memory_order_acq_rel) == 1)
        right_value = -1;
}

static void *use(void *argument) {
    give_back_left();
    give_back_right();
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    give_back_right();
    give_back_left();
    pthread_join(thread, NULL);
    return left_value + right_value;
}
