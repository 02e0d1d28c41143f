// expect: unsafe
// reason: The variable that the join fills is read by another thread at that time.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>

static void *result;

static void *give(void *argument) {
    return argument;
}

static void *look(void *argument) {
    *(int *)argument = result != NULL; // data race
    return NULL;
}

int main(void) {
    int seen = 0;
    pthread_t giving, looking;
    pthread_create(&giving, NULL, give, &seen);
    pthread_create(&looking, NULL, look, &seen);
    pthread_join(giving, &result); // data race
    pthread_join(looking, NULL);
    return seen + (result == NULL);
}
