// expect: unsafe
// reason: The other thread takes the lock until main has had it, and main may find it taken each time.
// options: --property termination --fair
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_bool is_locked, must_end;
static unsigned char inside;

static void add_one(void) {
    while (atomic_exchange(&is_locked, true)) {
    }
    inside++;
    is_locked = false;
}

static void *work(void *unused) {
    while (!must_end)
        add_one();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    add_one();
    must_end = true;
    pthread_join(thread, NULL);
    return 0;
}
