// expect: safe
// reason: Quick read-copy-update: a reader holds one of two counters while it reads, and the updater waits until that
//   which was in use before the update has gone back to 0. A sum of at most 1 needs no waiting, and is looked at twice.
//   Which counter a reader holds is in a variable of its own.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

extern _Bool __VERIFIER_nondet_bool(void);

enum progress { BEFORE, READING, DONE };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int index;          // the counter that new readers take
static atomic_int counters[2] = {1, 0};
static atomic_int progress1, progress2;

static bool increment_unless_zero(atomic_int *counter) {
    int count = *counter;
    while (count != 0)
        if (atomic_compare_exchange_strong(counter, &count, count + 1))
            return true;
    return false;
}

static int read_lock(void) {
    for (;;) {
        int mine = index;
        if (increment_unless_zero(&counters[mine]))
            return mine;
    }
}

static void read_unlock(int mine) {
    atomic_fetch_sub(&counters[mine], 1);
}

static void *read1(void *unused) {
    int mine = read_lock();
    progress1 = READING;
    progress1 = DONE;
    read_unlock(mine);
    return unused;
}

static void *read2(void *unused) {
    int mine = read_lock();
    progress2 = READING;
    progress2 = DONE;
    read_unlock(mine);
    return unused;
}

// The counters are read in any order.
static int sum_unordered(void) {
    int sum;
    if (__VERIFIER_nondet_bool()) {
        sum = counters[0];
        sum += counters[1];
    } else {
        sum = counters[1];
        sum += counters[0];
    }
    return sum;
}

static void switch_and_wait(void) {
    pthread_mutex_lock(&lock);
    int old = index;
    int new = 1 - old;
    atomic_fetch_add(&counters[new], 1);
    index = new;
    atomic_fetch_sub(&counters[old], 1);
    while (counters[old] != 0) {
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
    return 0;
}
