// expect: safe
// reason: From the address of a member, what lies before it leads to the structure, never to null, and lies before the member.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

struct job {
    int number;
    long link;
};

static struct job job = {7, 0};

static void *run(void *link) {
    uintptr_t start = (uintptr_t)link - offsetof(struct job, link);
    assert(start != 0 && start < (uintptr_t)link);
    assert(((struct job *)start)->number == 7);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, &job.link);
    pthread_join(thread, 0);
    return 0;
}
