// expect: unsafe
// reason: The writer announces its write before it makes it, and is in an atomic section only if asked to, which starts behind
//    the announcement; so the reader can see the announcement and the old element.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static volatile int quiet, index = 1, announced;
static volatile int elements[2];
static volatile int *volatile last = &elements[1];

static void *write_element(void *unused) {
    int in_section = quiet;
    int i = index;
    announced = 1;
    if (in_section)
        __VERIFIER_atomic_begin();
    elements[i] = 7;
    if (in_section)
        __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    volatile int *element = last;
    pthread_t writer;
    pthread_create(&writer, 0, write_element, 0);
    int seen = announced;
    int found = *element;
    assert(!seen || found == 7);
    return 0;
}
