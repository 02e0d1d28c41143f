// expect: safe
// reason: While the block is busy the lock of the inode protects it, and while it is not, the lock of the busy flag
//   does: which lock it is varies in time. A lock does not say who holds it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool inode_lock, busy_lock;
static bool has_block, busy;
static volatile int block;

static void lock(atomic_bool *is_locked) {
    while (atomic_exchange(is_locked, true)) {
    }
}

static void unlock(atomic_bool *is_locked) {
    *is_locked = false;
}

static void *allocate(void *unused) {
    lock(&inode_lock);
    if (!has_block) {
        lock(&busy_lock);
        busy = true;
        unlock(&busy_lock);
        has_block = true;
    }
    block = 1;
    assert(block == 1);
    unlock(&inode_lock);
    return unused;
}

static void *release(void *unused) {
    lock(&busy_lock);
    if (!busy) {
        block = 0;
        assert(block == 0);
    }
    unlock(&busy_lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, allocate, NULL);
    pthread_create(&b, NULL, release, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
