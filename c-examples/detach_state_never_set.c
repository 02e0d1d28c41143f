// expect: unsafe
// reason: The wanted state is never set: the memory of the options is fresh and holds anything, so it may be a valid state, also the other one.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct options {
    int detach_state;
};

int main(void) {
    struct options *options = malloc(sizeof *options);
    if (!options)
        return 1;
    pthread_attr_t attributes;
    int state;
    pthread_attr_init(&attributes);
    if (pthread_attr_setdetachstate(&attributes, options->detach_state) == 0) {
        pthread_attr_getdetachstate(&attributes, &state);
        assert(state == PTHREAD_CREATE_JOINABLE);
    }
    pthread_attr_destroy(&attributes);
    free(options);
}
