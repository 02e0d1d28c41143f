// expect: unknown
// reason: Which bucket a key goes to is computed from the bytes of a pointer in it. That the second key finds its bucket empty depends
//   on where the objects lie.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

struct key {
    int *object;
    int number;
};

static int first, second;
static int buckets[4];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static unsigned bucket(const struct key *key) {
    const unsigned char *bytes = (const unsigned char *)key;
    return (bytes[0] / 4u + bytes[1] + bytes[8]) % 4;
}

static void *insert(void *object) {
    struct key key = {object, 7};
    pthread_mutex_lock(&mutex);
    int *place = &buckets[bucket(&key)];
    assert(*place == 0);
    *place = 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, insert, &first);
    pthread_create(&b, 0, insert, &second);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
