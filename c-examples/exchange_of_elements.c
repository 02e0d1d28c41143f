// expect: safe
// reason: The last node is an element of the pool or the list's own first node, which is no element. So only one of the two threads finds it last.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    struct node *_Atomic next;
};

static struct {
    struct node first;
    struct node *_Atomic last;
} list = {{0}, &list.first};
static struct node pool[2];
static atomic_int firsts;

static void *append(void *node) {
    struct node *expected = &list.first;
    if (atomic_compare_exchange_strong(&list.last, &expected, (struct node *)node))
        firsts++;
    else
        assert(expected == &pool[0] || expected == &pool[1]);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, append, &pool[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(firsts == 1);
    return 0;
}
