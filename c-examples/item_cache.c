// expect: safe
// reason: An item belongs to one thread from when it is taken until it is given back, so it keeps its mark, and the last user leaves a number in it.
// size: medium
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

// What is free is in a list that goes through its first bytes; what is in use holds a mark, and then a number.
struct item {
    union {
        struct item *next;
        unsigned long mark;
    };
    int number;
};

static struct item *unused;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct item *take(void) {
    struct item *item;
    pthread_mutex_lock(&lock);
    if (unused) {
        item = unused;
        unused = item->next;
    } else {
        item = malloc(sizeof *item);
    }
    pthread_mutex_unlock(&lock);
    item->mark = 0xfeedUL;
    return item;
}

static void give(struct item *item) {
    assert(item->mark == 0xfeedUL);
    pthread_mutex_lock(&lock);
    item->next = unused;
    unused = item;
    pthread_mutex_unlock(&lock);
}

static void *user(void *number) {
    struct item *item = take();
    item->number = (int)(long)number;
    assert(item->number == (int)(long)number);
    give(item);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, user, (void *)1);
    pthread_create(&second, 0, user, (void *)2);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(unused && unused->number >= 1);
    return 0;
}
