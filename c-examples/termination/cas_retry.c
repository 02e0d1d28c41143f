// expect: safe
// reason: An exchange fails only if the other thread has written since, which it does three times.
// options: --property termination
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_uchar value;
static atomic_bool is_done;

static void *store(void *unused) {
    for (unsigned char i = 1; i <= 3; i++)
        value = i;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, store, NULL);
    unsigned char seen = value;
    while (!atomic_compare_exchange_strong(&value, &seen, (unsigned char)(seen + 10))) {
    }
    is_done = true;
    pthread_join(thread, NULL);
    return 0;
}
