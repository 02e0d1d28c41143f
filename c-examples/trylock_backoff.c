// expect: safe
// reason: The threads take the two mutexes in opposite order, but try the second and give the first
//   back on failure; when both are held, no other thread writes.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void add_one(pthread_mutex_t *first, pthread_mutex_t *second) {
    for (;;) {
        pthread_mutex_lock(first);
        if (pthread_mutex_trylock(second) == 0)
            break;
        pthread_mutex_unlock(first);
    }
    counter++;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *left_first(void *unused) {
    add_one(&left, &right);
    return unused;
}

static void *right_first(void *unused) {
    add_one(&right, &left);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left_first, 0);
    pthread_create(&b, 0, right_first, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
