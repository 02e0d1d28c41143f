// expect: unsafe
// reason: A thread that was woken takes the lock for its own, but who woke it has made it free for all: another thread may have been faster.
// size: small
// optimised: same
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FREE, TAKEN, WAITED_FOR };

static atomic_int lock;
static int counter;

static void take(void) {
    int found = FREE;
    if (atomic_compare_exchange_strong(&lock, &found, TAKEN))
        return;
    if (atomic_exchange(&lock, WAITED_FOR) != FREE)
        syscall(SYS_futex, &lock, FUTEX_WAIT_PRIVATE, WAITED_FOR, 0, 0, 0);
}

static void leave(void) {
    if (atomic_exchange(&lock, FREE) == WAITED_FOR)
        syscall(SYS_futex, &lock, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

static void *add(void *unused) {
    take();
    counter++;
    leave();
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, add, 0);
    pthread_create(&second, 0, add, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(counter == 2);
    return 0;
}
