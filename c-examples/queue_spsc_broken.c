// expect: unsafe
// reason: The producer publishes the new tail before it has written the item, so the consumer can
//   read the old content.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static volatile unsigned char ring[2];
static atomic_uchar head, tail;

static void *produce(void *unused) {
    for (;;) {
        unsigned char t = atomic_load(&tail);
        unsigned char h = atomic_load(&head);
        if (((t - h) & 3) == 2)
            continue;
        atomic_store(&tail, (unsigned char)((t + 1) & 3));
        ring[t & 1] = t;
    }
    return unused;
}

static void *consume(void *unused) {
    for (;;) {
        unsigned char h = atomic_load(&head);
        if (h == atomic_load(&tail))
            continue;
        assert(ring[h & 1] == h);
        atomic_store(&head, (unsigned char)((h + 1) & 3));
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, produce, 0);
    pthread_create(&b, 0, consume, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
