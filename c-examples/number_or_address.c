// expect: safe
// reason: A slot holds a node or a mark. The mark is odd and nodes are aligned, so no node lies there.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

struct node {
    long value;
};

static const uintptr_t mark = 0x10001;
static _Atomic uintptr_t slot = 0x10001;
static struct node node;

static void *publish(void *unused) {
    node.value = 1;
    slot = (uintptr_t)&node;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    uintptr_t found = slot;
    if (found == (uintptr_t)&node)
        assert(node.value == 1);
    else
        assert(found == mark);
    pthread_join(thread, 0);
    return 0;
}
