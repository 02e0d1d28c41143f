// expect: safe
// reason: The destructor of a thread's data has run when the thread is joined, whether the thread returns or calls `pthread_exit`.
//   The value is null by then.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int destroyed;

static void destroy(void *value) {
    assert(pthread_getspecific(key) == 0);
    destroyed += *(int *)value;
    free(value);
}

static void *work(void *leaves) {
    int *value = malloc(sizeof *value);
    if (!value)
        return 0;
    *value = 1;
    pthread_setspecific(key, value);
    if (leaves)
        pthread_exit(0);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(destroyed == 1);
    pthread_create(&t, 0, work, &key);
    pthread_join(t, 0);
    assert(destroyed == 2);
    return 0;
}
