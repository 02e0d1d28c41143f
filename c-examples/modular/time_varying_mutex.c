// expect: safe
// reason: While the block is busy the lock of the inode protects it, and while it is not, the lock of the busy flag
//   does: which lock it is varies in time.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t inode_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t busy_lock = PTHREAD_MUTEX_INITIALIZER;
static bool has_block, busy;
static volatile int block;

static void *allocate(void *unused) {
    pthread_mutex_lock(&inode_lock);
    if (!has_block) {
        pthread_mutex_lock(&busy_lock);
        busy = true;
        pthread_mutex_unlock(&busy_lock);
        has_block = true;
    }
    block = 1;
    assert(block == 1);
    pthread_mutex_unlock(&inode_lock);
    return unused;
}

static void *release(void *unused) {
    pthread_mutex_lock(&busy_lock);
    if (!busy) {
        block = 0;
        assert(block == 0);
    }
    pthread_mutex_unlock(&busy_lock);
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
