// expect: unknown
// reason: The variable of the second thread may lie where that of the first one lay, which has ended.
// size: small
// optimised: LLVM takes the address of the second thread's variable for one that no other object has
#include <assert.h>
#include <pthread.h>

static int *published;

static void *publisher(void *unused) {
    int own = 1;
    published = &own;
    return unused;
}

static void *comparer(void *unused) {
    int own = 2;
    assert(published != &own);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, publisher, 0);
    pthread_join(thread, 0);
    pthread_create(&thread, 0, comparer, 0);
    pthread_join(thread, 0);
    return 0;
}
