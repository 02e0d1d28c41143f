// expect: unknown
// reason: The thread may follow the link before main has written it. What it holds then may happen to be the address of the mutex that main
//   holds, and taking a mutex that way has no defined meaning.
// size: small
// optimised: clang takes the mutex by its name once the pointer is known to be equal to its address
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    pthread_mutex_t *link;
};

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t linked = PTHREAD_MUTEX_INITIALIZER;
static int entered;

static void *enter(void *argument) {
    struct node *node = argument;
    pthread_mutex_t *link = node->link;
    if (link == &held) {
        pthread_mutex_lock(link);
        entered = 1;
        pthread_mutex_unlock(link);
    }
    return 0;
}

int main(void) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    pthread_mutex_lock(&held);
    pthread_t t;
    pthread_create(&t, 0, enter, node);
    node->link = &linked;
    pthread_join(t, 0);
    assert(entered <= 1);
    return 0;
}
