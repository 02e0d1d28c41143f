// expect: safe
// reason: Each thread works on its own element most of the time and adds it to the sum under the
//   mutex at the end.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int parts[2];
static int sum;

static void work(int me) {
    for (int i = 1; i <= 5; i++)
        parts[me] += i;
    pthread_mutex_lock(&lock);
    sum += parts[me];
    pthread_mutex_unlock(&lock);
}

static void *first(void *unused) {
    work(0);
    return unused;
}

static void *second(void *unused) {
    work(1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sum == 30);
    return 0;
}
