// expect: unknown
// reason: The program does not define the handler, so its entry of the table may be null.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

void *handle(void *) __attribute__((weak));

static void *ignore(void *argument) {
    return argument;
}

static void *(*const handlers[2])(void *) = {handle, ignore};
static _Atomic int number;

static void *choose(void *unused) {
    number = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, choose, 0);
    assert(handlers[number]);
    pthread_join(thread, 0);
    return 0;
}
