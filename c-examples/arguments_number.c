// expect: safe
// reason: Whatever number the argument is, as many increments as decrements under the lock leave the balance at 0.
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int step = 1;
static int balance;

static void *change(void *sign) {
    pthread_mutex_lock(&lock);
    balance += sign ? step : -step;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 2 && sscanf(argv[1], "%d", &step) != 1)
        return 1;
    pthread_t up, down;
    pthread_create(&up, 0, change, &step);
    pthread_create(&down, 0, change, 0);
    pthread_join(up, 0);
    pthread_join(down, 0);
    assert(balance == 0);
    return 0;
}
