// expect: safe
// reason: A queue lock whose nodes are variables of the threads that wait: the lock forgets a node before it dies.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    struct node *_Atomic next;
    atomic_int waits;
};

static struct node *_Atomic last;
static int count;

static void *worker(void *unused) {
    struct node own;
    atomic_init(&own.next, 0);
    atomic_init(&own.waits, 1);
    struct node *previous = atomic_exchange(&last, &own);
    if (previous) {
        atomic_store(&previous->next, &own);
        while (atomic_load(&own.waits))
            ;
    }
    count++;
    struct node *expected = &own;
    if (!atomic_load(&own.next) && atomic_compare_exchange_strong(&last, &expected, 0))
        return unused;
    while (!atomic_load(&own.next))
        ;
    atomic_store(&atomic_load(&own.next)->waits, 0);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(count == 2);
    return 0;
}
