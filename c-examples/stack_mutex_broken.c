// expect: unsafe
// reason: The item is written before the mutex is taken, so both threads can write to the same
//   place.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int items[3];
static volatile int count;

static void *push(void *value) {
    items[count] = *(int *)value;
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    static int values[2] = {1, 2};
    pthread_t a, b;
    pthread_create(&a, 0, push, &values[0]);
    pthread_create(&b, 0, push, &values[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
    assert(items[0] + items[1] == 3);
    return 0;
}
