// expect: safe
// reason: A slot holds a pointer or two numbers. What is read is the member that was stored last, or bits below the alignment.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

union slot {
    int *pointer;
    unsigned number;
    struct {
        unsigned low, high;
    } halves;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static union slot slot;
static int value = 3;

static void *store_numbers(void *unused) {
    pthread_mutex_lock(&lock);
    slot.number = 5;
    assert(slot.number == 5);
    slot.halves.low = 2;
    slot.halves.high = 1;
    assert(slot.number == 2 && slot.halves.high == 1);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, store_numbers, 0);
    pthread_mutex_lock(&lock);
    slot.pointer = &value;
    assert(slot.number % 4 == 0 && *slot.pointer == 3);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
