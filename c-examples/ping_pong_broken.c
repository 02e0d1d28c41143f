// expect: unsafe
// reason: The second player tests once instead of in a loop and is woken up spuriously, before it
//   is its turn.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;
static int pings, pongs;

static void *ping(void *unused) {
    pthread_mutex_lock(&lock);
    while (turn != 0)
        pthread_cond_wait(&changed, &lock);
    pings++;
    turn = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *pong(void *unused) {
    pthread_mutex_lock(&lock);
    if (turn != 1)
        pthread_cond_wait(&changed, &lock);
    pongs++;
    assert(pings == pongs);
    turn = 0;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, ping, 0);
    pthread_create(&b, 0, pong, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
