// expect: safe
// reason: The structure with the text, which the call returns in registers, lasts until the expression is evaluated, in which a function passes its address on.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

struct text {
    char of[8];
    long length;
};

static struct text decimal(int digit) {
    return (struct text){{(char)('0' + digit)}, 1};
}

static int first(const char *text) {
    return text[0];
}

static const char *skip_sign(const char *text) {
    return text[0] == '-' ? text + 1 : text;
}

static void *print(void *argument) {
    assert(first(skip_sign(decimal(*(int *)argument).of)) == '3');
    return 0;
}

int main(void) {
    int digit = 3;
    pthread_t thread;
    pthread_create(&thread, 0, print, &digit);
    pthread_join(thread, 0);
    return 0;
}
