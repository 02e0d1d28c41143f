// expect: unsafe
// reason: The second thread expects what the first one left, so both may find it last.
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
    struct node *expected = list.last;
    if (atomic_compare_exchange_strong(&list.last, &expected, (struct node *)node))
        firsts++;
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
