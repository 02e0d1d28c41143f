// expect: safe
// reason: The caller has copies of the variables of blocks, whose addresses are used in these blocks only.
// size: small
// optimised: same
#include <assert.h>

struct job {
    long *next;
    long numbers[4];
};

struct small_job {
    long *next;
    long number;
};

static long run(long *number) {
    return ++*number;
}

static struct job make(long number) {
    for (long round = 0; round < 2; round++) {
        struct job job = {0};
        job.next = &job.numbers[1];
        *job.next = round;
        run(job.next);
        if (round == number) {
            return job;
        }
    }
    struct job other = {0};
    other.next = &other.numbers[2];
    run(other.next);
    return other;
}

static struct small_job make_small(long number) {
    for (;;) {
        struct small_job job = {&job.number, number};
        run(job.next);
        if (job.number > 3) {
            return job;
        }
        number = job.number;
    }
}

static struct job make_at_end(long number) {
    for (;;) {
        struct job job = {&job.numbers[3], {0, 0, 0, number}};
        run(job.next);
        if (job.numbers[3] > 3) {
            return job;
        }
        number = job.numbers[3];
    }
}

int main(void) {
    assert(make(1).numbers[1] == 2);
    assert(make(2).numbers[2] == 1);
    assert(make_small(2).number == 4);
    assert(make_at_end(2).numbers[3] == 4);
    return 0;
}
