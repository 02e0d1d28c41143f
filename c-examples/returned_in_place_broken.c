// expect: unsafe
// reason: Another thread reads the caller's variable while the function has its result only in a variable of its own.
// size: small
// optimised: no
#include <assert.h>
#include <pthread.h>

struct state {
    int version, entries[7];
};

static int seen;

static void *look(void *last) {
    seen = ((struct state *)last)->version;
    return 0;
}

static struct state next(struct state *last) {
    pthread_t thread;
    struct state made;
    last->version = 2;
    made.version = 1;
    for (int i = 0; i < 7; i++)
        made.entries[i] = i;
    pthread_create(&thread, 0, look, last);
    pthread_join(thread, 0);
    return made;
}

int main(void) {
    struct state state = next(&state);
    assert(state.version == 1 && seen == 1);
    return 0;
}
