// expect: unsafe
// reason: A destructor creates a key, which gets the number of a deleted one and a value. Its own destructor may run in the same
//   round, before that of a key with a higher number.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_key_t first, gone, last, late;
static int late_ran;

static void end_late(void *value) {
    late_ran = value != 0;
}

static void end_first(void *value) {
    pthread_key_create(&late, end_late);
    pthread_setspecific(late, value);
}

static void end_last(void *value) {
    assert(value && !late_ran);
}

static void *work(void *unused) {
    pthread_setspecific(first, &first);
    pthread_setspecific(last, &last);
    return unused;
}

int main(void) {
    pthread_key_create(&first, end_first);
    pthread_key_create(&gone, 0);
    pthread_key_create(&last, end_last);
    pthread_key_delete(gone);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
