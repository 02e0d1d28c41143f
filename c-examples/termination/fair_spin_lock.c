// expect: safe
// reason: The other thread takes the lock three times, and main gets it when it does so no more, if not before.
// options: --property termination --fair
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_bool is_locked;
static unsigned char inside;

static void add_one(void) {
    while (atomic_exchange(&is_locked, true)) {
    }
    inside++;
    is_locked = false;
}

static void *work(void *unused) {
    for (unsigned char i = 0; i < 3; i++)
        add_one();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    add_one();
    pthread_join(thread, NULL);
    return 0;
}
