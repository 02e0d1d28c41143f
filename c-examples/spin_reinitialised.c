// expect: safe
// reason: The lock is destroyed and initialised again while no thread uses it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int sum;

static void *add(void *unused) {
    pthread_spin_lock(&lock);
    sum++;
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_destroy(&lock);
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, 0, add, 0);
    add(0);
    pthread_join(a, 0);
    assert(sum == 2);
    assert(pthread_spin_destroy(&lock) == 0);
}
