// expect: unsafe
// reason: A text that does not end is printed with a negative precision, which is none.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static char text[4] = {'a', 'b', 'c', 'd'};
static int length = -1;

static void *print(void *unused) {
    printf("%.*s, %.2s\n", length, text, text); // out of bounds
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, print, 0);
    print(0);
    pthread_join(thread, 0);
    assert(text[0] == 'a');
    return 0;
}
