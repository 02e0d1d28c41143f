// expect: unsafe
// reason: The table has two entries, and what is behind them is not known.
// size: small
// optimised: clang takes what is behind the table for a value of its choice
#include <assert.h>
#include <pthread.h>

static const char *const names[] = {"stop", "start"};
static int count;

static int count_used(void) {
    return (*names != 0) + (*(names + 1) != 0) + (*(names + 2) != 0); // out of bounds
}

static void *count_names(void *unused) {
    count = count_used();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, count_names, 0);
    pthread_join(thread, 0);
    assert(count >= 2);
    return 0;
}
