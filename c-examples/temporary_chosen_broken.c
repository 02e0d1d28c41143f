// expect: unsafe
// reason: The structure with the text, which the call returns, is gone when the text is read, whichever arm it came from.
// size: small
// optimised: clang marks no lifetime of this structure, and no block is left of optimised code
#include <assert.h>
#include <pthread.h>

struct text {
    char of[24];
};

static char none[] = "none";

static struct text decimal(int digit) {
    return (struct text){{(char)('0' + digit)}};
}

static void *print(void *argument) {
    int digit = *(int *)argument;
    const char *text = digit < 10 ? decimal(digit).of : none;
    assert(text[0] == '3'); // use after scope
    return 0;
}

int main(void) {
    int digit = 3;
    pthread_t thread;
    pthread_create(&thread, 0, print, &digit);
    pthread_join(thread, 0);
    return 0;
}
