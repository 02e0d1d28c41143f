// expect: safe
// reason: What the function returns is a value, and the thread gets the address of the variable that holds it then.
// size: small
// optimised: same
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
    ++job->numbers[1];
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
