// expect: safe
// reason: Each thread finds under the key what it has stored there itself, and null before.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int values[2];

static void *work(void *argument) {
    assert(pthread_getspecific(key) == 0);
    pthread_setspecific(key, argument);
    assert(pthread_getspecific(key) == argument);
    return 0;
}

int main(void) {
    pthread_key_create(&key, 0);
    pthread_t a, b;
    pthread_create(&a, 0, work, &values[0]);
    pthread_create(&b, 0, work, &values[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(pthread_getspecific(key) == 0);
    return 0;
}
