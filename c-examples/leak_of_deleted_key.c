// expect: safe
// reason: The value of the key is freed before the key is deleted.
// options: --property valid-memtrack
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    pthread_key_t key;
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, malloc(4));
    free(pthread_getspecific(key));
    pthread_key_delete(key);
    return 0; // memory leak
}
