// expect: safe
// reason: A message holds a number or a pointer, and its kind says which: the number is not read as a pointer, and the other way round.
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>

struct message {
    int kind;
    union {
        int number;
        int *pointer;
    } of;
};

static int array[4] = {1, 2, 3, 4};
static struct message message = {1, {.pointer = &array[2]}};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *change(void *unused) {
    pthread_mutex_lock(&mutex);
    message.kind = 0;
    message.of.number = 3;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, change, 0);
    pthread_mutex_lock(&mutex);
    int value = message.kind ? *message.of.pointer : message.of.number;
    pthread_mutex_unlock(&mutex);
    assert(value == 3);
    pthread_join(thread, 0);
    return 0;
}
