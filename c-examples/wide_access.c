// expect: safe
// reason: A number of 16 bytes is read and written under a lock, and one of 5 bytes by one thread.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

__extension__ typedef unsigned __int128 wide;

struct __attribute__((packed)) counter {
    unsigned long steps : 40;
    unsigned char round;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile wide number;
static volatile struct counter counter;

static void *fill(void *unused) {
    pthread_mutex_lock(&lock);
    number = ~(wide)0;
    pthread_mutex_unlock(&lock);
    counter.steps = 0xffffffff;
    counter.steps += 1;
    assert(counter.steps == 0x100000000 && counter.round == 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, fill, 0);
    pthread_mutex_lock(&lock);
    wide seen = number;
    assert(seen == 0 || seen == ~(wide)0);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
