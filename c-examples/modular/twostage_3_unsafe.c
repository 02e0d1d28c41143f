// expect: unsafe
// reason: The two values are written under a lock of each, and not under both. A reader that comes between the two
//   stages sees the new first value and the old second one.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define WRITERS 2
#define READERS 1

struct value {
    pthread_mutex_t lock;
    int number; // 0 until it has been written
};

static struct value first, second;

static void check(int error) {
    if (error != 0)
        exit(EXIT_FAILURE);
}

static void initialise(struct value *value) {
    check(pthread_mutex_init(&value->lock, NULL));
    value->number = 0;
}

static void destroy(struct value *value) {
    check(pthread_mutex_destroy(&value->lock));
}

static void take(struct value *value) {
    check(pthread_mutex_lock(&value->lock));
}

static void give_back(struct value *value) {
    check(pthread_mutex_unlock(&value->lock));
}

// The second value is one more than the first, as soon as both are written.
static void *write_both(void *unused) {
    take(&first);
    first.number = 1;
    give_back(&first);

    take(&second);
    second.number = first.number + 1;
    give_back(&second);
    return unused;
}

static bool is_written(struct value *value, int *number) {
    take(value);
    *number = value->number;
    give_back(value);
    return *number != 0;
}

static void *read_both(void *unused) {
    int a, b;
    if (!is_written(&first, &a))
        return unused;
    is_written(&second, &b);
    assert(b == a + 1);
    return unused;
}

static void start(pthread_t *threads, int count, void *(*function)(void *)) {
    for (int i = 0; i < count; i++)
        check(pthread_create(&threads[i], NULL, function, NULL));
}

static void join(pthread_t *threads, int count) {
    for (int i = 0; i < count; i++)
        check(pthread_join(threads[i], NULL));
}

int main(void) {
    pthread_t writers[WRITERS], readers[READERS];
    initialise(&first);
    initialise(&second);
    start(writers, WRITERS, write_both);
    start(readers, READERS, read_both);
    join(writers, WRITERS);
    join(readers, READERS);
    destroy(&first);
    destroy(&second);
    return 0;
}
