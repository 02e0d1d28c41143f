// expect: unknown
// reason: The state is set to zero while its mutex, which was taken with a limit, is held.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static struct connection {
    pthread_mutex_t mutex;
    int bytes;
} connection = {PTHREAD_MUTEX_INITIALIZER, 0};

static const struct timespec limit = {1, 0};

static void *reset(void *argument) {
    if (pthread_mutex_timedlock(&connection.mutex, &limit) == 0)
        memset(&connection, 0, sizeof connection);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reset, 0);
    pthread_join(thread, 0);
    assert(connection.bytes == 0);
    return 0;
}
