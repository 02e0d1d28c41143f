// expect: unsafe
// reason: The semaphore for empty slots starts at 2, but there is one slot, so a value can be
//   overwritten unread.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t empty, filled;
static int slot;

static void *produce(void *unused) {
    for (int i = 1; i <= 2; i++) {
        sem_wait(&empty);
        slot = i;
        sem_post(&filled);
    }
    return unused;
}

static void *consume(void *unused) {
    for (int i = 1; i <= 2; i++) {
        sem_wait(&filled);
        assert(slot == i);
        sem_post(&empty);
    }
    return unused;
}

int main(void) {
    sem_init(&empty, 0, 2);
    sem_init(&filled, 0, 0);
    pthread_t a, b;
    pthread_create(&a, 0, produce, 0);
    pthread_create(&b, 0, consume, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
