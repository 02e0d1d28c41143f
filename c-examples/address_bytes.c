// expect: safe
// reason: Two threads compare the bytes of a pointer with those of their own one, and choose a bucket by a sum of these bytes: those of
//   equal pointers are equal, wherever the object lies, and a null pointer has zero bytes only.
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int object;
static int *key = &object;
static int buckets[4];

static unsigned bucket(int **key) {
    const unsigned char *bytes = (const unsigned char *)key;
    return (bytes[0] / 4u + bytes[1]) % 4;
}

static void *mark(void *unused) {
    int *own = &object;
    if (memcmp(&own, &key, sizeof own) == 0)
        buckets[bucket(&own)] = 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, mark, 0);
    pthread_create(&b, 0, mark, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(buckets[bucket(&key)] == 1);
    int *none = 0, *zero = 0;
    assert(memcmp(&none, &zero, sizeof none) == 0);
    assert(memcmp(&none, &key, sizeof none) != 0);
    return 0;
}
