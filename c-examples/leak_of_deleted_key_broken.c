// expect: unsafe
// reason: When the key is deleted, nothing leads to its value any more.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    pthread_key_t key;
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, malloc(4));
    (void)pthread_getspecific(key);
    pthread_key_delete(key);
    return 0; // memory leak
}
