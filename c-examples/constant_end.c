// expect: safe
// reason: The table has three entries, of which one is empty.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static const char *const names[] = {"stop", "start", 0};
static int count;

static int count_used(void) {
    return (*names != 0) + (*(names + 1) != 0) + (*(names + 2) != 0);
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
