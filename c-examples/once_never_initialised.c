// expect: unknown
// reason: The once control lies in fresh memory, without its initialiser. It may look as if the routine had never run, or had run, but such a
//   run is undefined where the control is used, before the assertion.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct cache {
    pthread_once_t filled;
    int entries;
};

static struct cache *cache;

static void fill(void) {
    cache->entries = 4;
}

int main(void) {
    cache = malloc(sizeof *cache);
    if (!cache)
        return 1;
    cache->entries = 0;
    pthread_once(&cache->filled, fill);
    assert(cache->entries == 4);
    free(cache);
}
