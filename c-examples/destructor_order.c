// expect: safe
// reason: In whatever order the destructors run, the one that runs last leaves both marks.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_key_t first, second;
static int marks;

static void mark_first(void *value) {
    (void)value;
    marks |= 1;
}

static void mark_second(void *value) {
    (void)value;
    marks |= 2;
}

static void *work(void *unused) {
    pthread_setspecific(second, &marks);
    pthread_setspecific(first, &marks);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&first, mark_first);
    pthread_key_create(&second, mark_second);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(marks == 3);
    return 0;
}
