// expect: unsafe
// reason: The pointer in the result points to the variable of the function that has returned, not to the copy that the caller has.
// size: small
// optimised: the two may lie in one place, and no variable of the function is left of optimised code
#include <assert.h>
#include <pthread.h>

struct job {
    long *next;
    long numbers[4];
};

static struct job make(long number) {
    struct job job = {0};
    job.next = &job.numbers[1];
    *job.next = number;
    return job;
}

static void *increment(void *argument) {
    struct job *job = argument;
    ++*job->next; // use after scope
    return 0;
}

int main(void) {
    struct job job = make(3);
    pthread_t thread;
    pthread_create(&thread, 0, increment, &job);
    pthread_join(thread, 0);
    assert(job.numbers[1] == 4);
    return 0;
}
