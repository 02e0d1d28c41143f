// expect: safe
// reason: Quick read-copy-update: a reader holds one of two counters while it reads, and the updater waits until that
//   which was in use before the update has gone back to 0. A sum of at most 1 needs no waiting, and is looked at twice.
//   Which counter a reader holds is for all to see.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

enum progress { BEFORE, READING, DONE };
enum { NONE = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int index; // the counter that new readers take
static int counters[2] = {1, 0};
static int held1 = NONE, held2 = NONE;
static atomic_int progress1, progress2;

static int count(int which) {
    __VERIFIER_atomic_begin();
    int count = counters[which];
    __VERIFIER_atomic_end();
    return count;
}

static void add(int which, int number) {
    __VERIFIER_atomic_begin();
    counters[which] += number;
    __VERIFIER_atomic_end();
}

// A counter that is not in use may not be taken.
static bool hold(int which, int *held) {
    __VERIFIER_atomic_begin();
    bool is_used = counters[which] != 0;
    if (is_used) {
        counters[which]++;
        *held = which;
    }
    __VERIFIER_atomic_end();
    return is_used;
}

static void read_lock(int *held) {
    while (!hold(index, held)) {
    }
}

static void read_unlock(int *held) {
    __VERIFIER_atomic_begin();
    counters[*held]--;
    *held = NONE;
    __VERIFIER_atomic_end();
}

static void *read1(void *unused) {
    read_lock(&held1);
    progress1 = READING;
    progress1 = DONE;
    read_unlock(&held1);
    return unused;
}

static void *read2(void *unused) {
    read_lock(&held2);
    progress2 = READING;
    progress2 = DONE;
    read_unlock(&held2);
    return unused;
}

// The counters are read in any order.
static int sum_unordered(void) {
    int sum;
    if (__VERIFIER_nondet_bool()) {
        sum = count(0);
        sum += count(1);
    } else {
        sum = count(1);
        sum += count(0);
    }
    return sum;
}

static void switch_and_wait(void) {
    pthread_mutex_lock(&lock);
    int old = index;
    int new = 1 - old;
    add(new, 1);
    index = new;
    add(old, -1);
    while (count(old) != 0) {
    }
    pthread_mutex_unlock(&lock);
}

static void synchronise(void) {
    int sum = sum_unordered();
    if (sum <= 1)
        sum = sum_unordered();
    if (sum > 1)
        switch_and_wait();
}

static void *update(void *unused) {
    // A thread that reads now has the old data, which are freed at the end.
    int start1 = progress1;
    int start2 = progress2;
    synchronise();
    if (start1 == READING)
        assert(progress1 != READING);
    if (start2 == READING)
        assert(progress2 != READING);
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, read1, NULL);
    pthread_create(&b, NULL, read2, NULL);
    pthread_create(&c, NULL, update, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(held1 == NONE && held2 == NONE);
    return 0;
}
