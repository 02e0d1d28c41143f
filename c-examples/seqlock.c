// expect: safe
// reason: The reader uses its copy only if the sequence number was even before and unchanged after;
//   the writer makes it odd while the halves differ. Three writes are too few for the number to
//   wrap around.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static volatile int left, right;

static void *write_both(void *unused) {
    for (int i = 1; i <= 3; i++) {
        atomic_fetch_add(&sequence, 1);
        left = i;
        right = i;
        atomic_fetch_add(&sequence, 1);
    }
    return unused;
}

static void *read_both(void *unused) {
    for (;;) {
        unsigned before = atomic_load(&sequence);
        if (before & 1)
            continue;
        int l = left;
        int r = right;
        if (atomic_load(&sequence) != before)
            continue;
        assert(l == r);
        return unused;
    }
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, 0, write_both, 0);
    pthread_create(&r, 0, read_both, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
    return 0;
}
