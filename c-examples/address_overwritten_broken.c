// expect: unknown
// reason: The kind is read before the lock is taken. So half of a pointer may be overwritten by a number before the pointer is used, and points
//   nowhere then.
// size: small
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

static int array[4] = {3, 2, 3, 4};
static struct message message = {1, {.pointer = &array[2]}};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *change(void *unused) {
    pthread_mutex_lock(&mutex);
    message.kind = 0;
    message.of.number = 0;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, change, 0);
    int kind = message.kind;
    pthread_mutex_lock(&mutex);
    int value = kind ? *message.of.pointer : 3;
    pthread_mutex_unlock(&mutex);
    assert(value == 3);
    pthread_join(thread, 0);
    return 0;
}
