// expect: safe
// reason: A linked queue on the heap under one mutex: the consumer takes the items in the order in
//   which the producer appended them, and frees each once.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct item {
    struct item *next;
    int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct item *first;
static struct item **last = &first;

static void append(int value) {
    struct item *item = malloc(sizeof *item);
    if (!item)
        abort();
    item->next = 0;
    item->value = value;
    pthread_mutex_lock(&lock);
    *last = item;
    last = &item->next;
    pthread_mutex_unlock(&lock);
}

static int try_take(int *value) {
    pthread_mutex_lock(&lock);
    struct item *item = first;
    if (item) {
        first = item->next;
        if (!first)
            last = &first;
    }
    pthread_mutex_unlock(&lock);
    if (!item)
        return 0;
    *value = item->value;
    free(item);
    return 1;
}

static void *produce(void *unused) {
    append(1);
    append(2);
    return unused;
}

static void *consume(void *unused) {
    int value = 0;
    for (int expected = 1; expected <= 2; expected++) {
        while (!try_take(&value)) {
        }
        assert(value == expected);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, produce, 0);
    pthread_create(&b, 0, consume, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first == 0 && last == &first);
    return 0;
}
