// expect: safe
// reason: A text that does not end is printed as far as it goes, which the precision says.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static char text[4] = {'a', 'b', 'c', 'd'};
static int length = 4;

static void *print(void *unused) {
    printf("%.*s, %.2s\n", length, text, text);
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
