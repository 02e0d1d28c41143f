// expect: unknown
// reason: The function returns its semaphore by value, so that the threads use a copy, which is undefined.
// size: large
// optimised: no
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

struct box {
    sem_t full;
    int content;
};

static struct box box;

static struct box empty_box(void) {
    struct box made;
    sem_init(&made.full, 0, 0);
    made.content = 0;
    return made;
}

static void *fill(void *unused) {
    box.content = 5;
    sem_post(&box.full);
    return unused;
}

int main(void) {
    pthread_t thread;
    box = empty_box();
    pthread_create(&thread, 0, fill, 0);
    sem_wait(&box.full);
    assert(box.content == 5);
    pthread_join(thread, 0);
    return 0;
}
