// expect: safe
// reason: Push and pop of an array stack are under one mutex, so the two pops return the two pushed
//   values, each once.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[2];
static int count;

static void push(int value) {
    pthread_mutex_lock(&lock);
    items[count] = value;
    count++;
    pthread_mutex_unlock(&lock);
}

static int pop(void) {
    pthread_mutex_lock(&lock);
    count--;
    int value = items[count];
    pthread_mutex_unlock(&lock);
    return value;
}

static void *work(void *value) {
    push(*(int *)value);
    return 0;
}

int main(void) {
    static int values[2] = {1, 2};
    pthread_t a, b;
    pthread_create(&a, 0, work, &values[0]);
    pthread_create(&b, 0, work, &values[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int x = pop();
    int y = pop();
    assert(x + y == 3 && x != y);
    assert(count == 0);
    return 0;
}
