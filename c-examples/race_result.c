// expect: safe
// reason: The result of the thread goes to a variable that only main looks at.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>

static void *result;

static void *give(void *argument) {
    return argument;
}

static void *look(void *argument) {
    *(int *)argument = 1;
    return NULL;
}

int main(void) {
    int seen = 0;
    pthread_t giving, looking;
    pthread_create(&giving, NULL, give, &seen);
    pthread_create(&looking, NULL, look, &seen);
    pthread_join(giving, &result);
    pthread_join(looking, NULL);
    return seen + (result == NULL);
}
