// expect: safe
// reason: Waiting threads queue up by exchanging the tail pointer and spin on their own node until
//   the predecessor hands the lock over; the swap back to null succeeds only if no other thread
//   has queued up meanwhile.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    struct node *_Atomic next;
    atomic_int waiting;
};

static struct node nodes[2];
static struct node *_Atomic tail;
static int counter;

static void *work(void *argument) {
    struct node *mine = argument;
    atomic_store(&mine->next, 0);
    struct node *before = atomic_exchange(&tail, mine);
    if (before) {
        atomic_store(&mine->waiting, 1);
        atomic_store(&before->next, mine);
        while (atomic_load(&mine->waiting)) {
        }
    }
    counter++;
    if (!atomic_load(&mine->next)) {
        struct node *expected = mine;
        if (atomic_compare_exchange_strong(&tail, &expected, 0))
            return 0;
        while (!atomic_load(&mine->next)) {
        }
    }
    atomic_store(&atomic_load(&mine->next)->waiting, 0);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, &nodes[0]);
    pthread_create(&b, 0, work, &nodes[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
