// expect: safe
// reason: pthread spin locks exclude each other's holders.
// size: small
// optimised: same
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter;

static void *work(void *unused) {
    for (int i = 0; i < 2; i++) {
        pthread_spin_lock(&lock);
        counter++;
        pthread_spin_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 4);
    pthread_spin_destroy(&lock);
    return 0;
}
