// expect: unsafe
// reason: The structure with the text, which the call returns in registers, is gone when the text is read.
// size: small
// optimised: clang marks no lifetime of this structure, and no block is left of optimised code
#include <assert.h>
#include <pthread.h>

struct text {
    char of[8];
    long length;
};

static struct text decimal(int digit) {
    return (struct text){{(char)('0' + digit)}, 1};
}

static void *print(void *argument) {
    const char *text = decimal(*(int *)argument).of;
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
