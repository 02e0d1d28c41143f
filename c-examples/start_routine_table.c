// expect: safe
// reason: The start routines come from a table of function pointers; addition and subtraction under
//   the mutex cancel out.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *add(void *amount) {
    pthread_mutex_lock(&lock);
    balance += *(int *)amount;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *subtract(void *amount) {
    pthread_mutex_lock(&lock);
    balance -= *(int *)amount;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *(*const routines[2])(void *) = {add, subtract};

int main(void) {
    static int amount = 5;
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, routines[i], &amount);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(balance == 0);
    return 0;
}
