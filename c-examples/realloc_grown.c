// expect: safe
// reason: What the smaller object held is in the larger one.
// size: medium
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *items;
static unsigned count;

static void *append(void *item) {
    pthread_mutex_lock(&lock);
    int *larger = realloc(items, (count + 1) * sizeof *items);
    larger[count] = *(int *)item;
    items = larger;
    count++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    int one = 1, two = 2;
    pthread_t t;
    pthread_create(&t, 0, append, &one);
    append(&two);
    pthread_join(t, 0);
    assert(items[0] + items[1] == 3);
    free(items);
    return 0;
}
