// expect: safe
// reason: The handler that was pushed last runs first, also if another function has pushed it; a handler that was popped does not run.
//   Destructors of the thread's data run behind all handlers.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int digits;

static void append(void *digit) {
    digits = 10 * digits + *(int *)digit;
}

static int numbers[] = {1, 2, 3, 4};

static void leave(void) {
    pthread_cleanup_push(append, &numbers[2]);
    pthread_cleanup_pop(0);
    pthread_cleanup_push(append, &numbers[1]);
    pthread_exit(0);
    pthread_cleanup_pop(0);
}

static void *work(void *unused) {
    pthread_setspecific(key, &numbers[3]);
    pthread_cleanup_push(append, &numbers[0]);
    leave();
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, append);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(digits == 214);
    return 0;
}
