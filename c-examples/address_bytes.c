// expect: safe
// reason: Two threads look for an entry by comparing the bytes of a key with a pointer in it, and choose a bucket by a sum of these
//   bytes: keys of equal pointers have equal bytes, wherever the objects lie, and a null pointer has zero bytes only.
// size: large
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct key {
    int *object;
    long number;
};

static int first, second;
static struct key keys[2] = {{&first, 7}, {&second, 7}};
static int found;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static unsigned bucket(const struct key *key) {
    const unsigned char *bytes = (const unsigned char *)key;
    return (bytes[0] + bytes[1] + bytes[8]) % 4u;
}

static void *look(void *object) {
    struct key key = {object, 7};
    for (int i = 0; i < 2; i++)
        if (memcmp(&key, &keys[i], sizeof key) == 0) {
            assert(bucket(&key) == bucket(&keys[i]));
            pthread_mutex_lock(&mutex);
            found++;
            pthread_mutex_unlock(&mutex);
        }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, look, &first);
    pthread_create(&b, 0, look, &second);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int *none = 0, *zero = 0;
    assert(memcmp(&none, &zero, sizeof none) == 0);
    assert(memcmp(&none, &keys[0].object, sizeof none) != 0);
    assert(found >= 2);
    return 0;
}
