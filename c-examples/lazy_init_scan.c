// expect: safe
// reason: As lazy_init.c, but after initialisation each thread counts over its half of the data in
//   a loop: the reads cannot interfere with the publication, which dynamic reduction can see and
//   static reduction cannot.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int copies[2][8] = {{1, 0, 1, 1, 0, 1, 0, 0}, {1, 0, 1, 1, 0, 1, 0, 0}};
static int *_Atomic data;
static int found[2];

static void work(int me) {
    if (atomic_load(&data) == 0) {
        int *expected = 0;
        atomic_compare_exchange_strong(&data, &expected, copies[me]);
    }
    for (int i = 0; i < 4; i++)
        found[me] += atomic_load(&data)[4 * me + i];
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
    assert(found[0] == 3 && found[1] == 1);
    return 0;
}
