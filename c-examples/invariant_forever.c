// expect: safe
// reason: Both threads change both variables together under the mutex, for ever, so they are equal
//   whenever it is held.
// size: medium
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char left, right;

static void *increase(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        left++;
        right++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *check(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        assert(left == right);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, increase, 0);
    pthread_create(&b, 0, check, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
