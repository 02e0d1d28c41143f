// expect: unknown
// reason: A slot that held a number holds a pointer, and the number that is read is the low half of it: any multiple of its alignment.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

union slot {
    int *pointer;
    unsigned number;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static union slot slot;
static int value = 3;

static void *store_pointer(void *unused) {
    pthread_mutex_lock(&lock);
    slot.pointer = &value;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    slot.number = 1;
    pthread_create(&thread, 0, store_pointer, 0);
    pthread_mutex_lock(&lock);
    assert(slot.number < 4096);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
