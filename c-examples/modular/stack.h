// A stack of SIZE places behind a mutex. One thread pushes SIZE numbers and another one pops as many, where CAN_POP
// says that it may.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

extern unsigned __VERIFIER_nondet_uint(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned places[SIZE];
static int top;
static bool has_pushed;

static void push(unsigned number) {
    assert(top < SIZE);
    places[top] = number;
    top++;
}

static unsigned pop(void) {
    assert(top > 0);
    top--;
    return places[top];
}

static void *push_all(void *unused) {
    for (int i = 0; i < SIZE; i++) {
        unsigned number = __VERIFIER_nondet_uint() % SIZE;
        pthread_mutex_lock(&lock);
        push(number);
        has_pushed = true;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *pop_all(void *unused) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&lock);
        if (CAN_POP)
            assert(pop() < SIZE);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, push_all, NULL);
    pthread_create(&b, NULL, pop_all, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
