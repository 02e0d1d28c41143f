// expect: safe
// reason: The function returns the rest by value, and the semaphore is initialised where it stays.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

struct box {
    sem_t full;
    int content;
};

static struct box box;

static struct box empty_box(void) {
    struct box made = {0};
    made.content = 1;
    return made;
}

static void *fill(void *unused) {
    box.content += 4;
    sem_post(&box.full);
    return unused;
}

int main(void) {
    pthread_t thread;
    box = empty_box();
    sem_init(&box.full, 0, 0);
    pthread_create(&thread, 0, fill, 0);
    sem_wait(&box.full);
    assert(box.content == 5);
    pthread_join(thread, 0);
    return 0;
}
