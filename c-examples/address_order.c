// expect: safe
// reason: Both threads take the two locks in the order of their addresses, which is the same for both, whichever it is.
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account left = {PTHREAD_MUTEX_INITIALIZER, 1}, right = {PTHREAD_MUTEX_INITIALIZER, 1};
static struct account *volatile outer;

static void move(struct account *from, struct account *to) {
    struct account *first = from < to ? from : to, *second = from < to ? to : from;
    pthread_mutex_lock(&first->lock);
    assert(outer == 0);
    outer = first;
    pthread_mutex_lock(&second->lock);
    assert(outer == first);
    from->balance--;
    to->balance++;
    outer = 0;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *there(void *unused) {
    move(&left, &right);
    return unused;
}

static void *back(void *unused) {
    move(&right, &left);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, there, 0);
    pthread_create(&b, 0, back, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(left.balance == 1 && right.balance == 1);
    return 0;
}
