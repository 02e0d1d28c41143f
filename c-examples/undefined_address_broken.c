// expect: unsafe
// reason: The first thread stays for ever before an access that has no defined meaning, with the flag up and the mutex held, which the
//   second one sees.
// size: small
// optimised: clang makes a constant of the variable, since nothing but the undefined access writes it
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);

struct node {
    int *link;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int linked, other, flag, tried;

static void *raise_flag(void *argument) {
    struct node *node = argument;
    pthread_mutex_lock(&mutex);
    int *link = node->link;
    __VERIFIER_assume(link == &other);
    flag = 1;
    *link = 1;
    flag = 0;
    pthread_mutex_unlock(&mutex);
    return 0;
}

static void *look(void *unused) {
    if (pthread_mutex_trylock(&mutex)) {
        tried = 1;
        int seen = flag;
        int written = other;
        assert(!seen || written);
    }
    return unused;
}

int main(void) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    if (__VERIFIER_nondet_int())
        node->link = &linked;
    pthread_t t, s;
    pthread_create(&t, 0, raise_flag, node);
    pthread_create(&s, 0, look, 0);
    pthread_join(s, 0);
    return 0;
}
