// expect: safe
// reason: The nodes of the list are gone when the mutex of the registry is destroyed, and none of them was a copy of it. What was
//   written into memory that has ended is no lock any more, whatever lies there later.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct reader {
    int active;
    struct reader *next, **link;
};

struct registry {
    unsigned epoch;
    pthread_key_t key;
    pthread_mutex_t lock;
    struct reader *readers;
};

static struct registry *registry;

static void *work(void *unused) {
    struct reader *own = pthread_getspecific(registry->key);
    if (!own) {
        own = calloc(1, sizeof *own);
        pthread_setspecific(registry->key, own);
    }
    pthread_mutex_lock(&registry->lock);
    own->next = registry->readers;
    if (own->next)
        own->next->link = &own->next;
    registry->readers = own;
    own->link = &registry->readers;
    pthread_mutex_unlock(&registry->lock);
    own = pthread_getspecific(registry->key);
    pthread_mutex_lock(&registry->lock);
    if (own->next)
        own->next->link = own->link;
    *own->link = own->next;
    pthread_mutex_unlock(&registry->lock);
    free(own);
    return unused;
}

int main(void) {
    registry = calloc(1, sizeof *registry);
    pthread_key_create(&registry->key, 0);
    pthread_mutex_init(&registry->lock, 0);
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    work(0);
    pthread_join(other, 0);
    assert(!registry->readers);
    pthread_mutex_destroy(&registry->lock);
    free(registry);
    return 0;
}
