// expect: safe
// reason: From the link the address of its item is computed, and that is some number of items away from the first one.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct item {
    int key, link, value;
};

static struct item items[3];
static int *head = &items[2].link;
static long found;

static void *look(void *unused) {
    found = (struct item *)((char *)head - offsetof(struct item, link)) - items;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    pthread_join(thread, 0);
    assert(found == 2);
    return 0;
}
