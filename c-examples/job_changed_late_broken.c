// expect: unsafe
// reason: main goes on to change the job that it has handed to a thread, which may have read it before.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct job {
    int input, output;
};

static struct job jobs[2];

static void *copy(void *argument) {
    struct job *job = argument;
    job->output = job->input;
    return 0;
}

int main(void) {
    struct job *job = &jobs[__VERIFIER_nondet_bool()];
    pthread_t thread;
    job->input = 1;
    pthread_create(&thread, 0, copy, job);
    job->input = 2;
    pthread_join(thread, 0);
    assert(job->output == 2);
    return 0;
}
