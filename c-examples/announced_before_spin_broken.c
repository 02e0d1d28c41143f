// expect: unsafe
// reason: The worker announces itself before it has the lock, so main can see the announcement and no work while it holds
//    the lock.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int locked;
static atomic_int announced;
static int work_done;

static void lock(void) {
    int expected = 0;
    while (!atomic_compare_exchange_weak(&locked, &expected, 1))
        expected = 0;
}

static void unlock(void) {
    atomic_store(&locked, 0);
}

static void *work(void *unused) {
    atomic_store(&announced, 1);
    lock();
    work_done = 1;
    unlock();
    return unused;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    lock();
    int seen = atomic_load(&announced);
    int done = work_done;
    unlock();
    assert(!(seen && !done));
    pthread_join(worker, 0);
    return 0;
}
