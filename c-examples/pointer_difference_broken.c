// expect: unknown
// reason: The link is not where its item begins, so no number of items lies between it and the first one.
// size: small
// optimised: no
#include <assert.h>
#include <pthread.h>

struct item {
    int key, link, value;
};

static struct item items[3];
static int *head = &items[0].link;
static long found;

static void *look(void *unused) {
    found = (struct item *)head - items;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    pthread_join(thread, 0);
    assert(found == 0);
    return 0;
}
