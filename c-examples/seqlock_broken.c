// expect: unsafe
// reason: The reader does not look at the sequence number again, so the writer may have started in
//   between.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static volatile int left, right;

static void *write_both(void *unused) {
    for (int i = 1; i <= 2; i++) {
        atomic_fetch_add(&sequence, 1);
        left = i;
        right = i;
        atomic_fetch_add(&sequence, 1);
    }
    return unused;
}

static void *read_both(void *unused) {
    while (atomic_load(&sequence) & 1) {
    }
    int l = left;
    int r = right;
    assert(l == r);
    return unused;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, 0, write_both, 0);
    pthread_create(&r, 0, read_both, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
    return 0;
}
