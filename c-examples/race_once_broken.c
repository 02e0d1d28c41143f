// expect: unsafe
// reason: One thread fills the table again behind the call.
// options: --property no-data-race
// size: small
// optimised: same
#include <pthread.h>

static int table[2];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill(void) {
    table[0] = 1;
    table[1] = 2;
}

static void *look(void *argument) {
    pthread_once(&once, fill);
    *(int *)argument = table[1]; // data race
    return NULL;
}

int main(void) {
    int one = 0, other = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, look, &one);
    pthread_once(&once, fill);
    fill();
    pthread_join(thread, NULL);
    return one + other;
}
