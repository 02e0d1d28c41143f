// expect: safe
// reason: The structure with the text, which the call returns, lasts until the expression is evaluated.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

struct text {
    char of[24];
};

static char none[] = "none";

static struct text decimal(int digit) {
    return (struct text){{(char)('0' + digit)}};
}

static int first(const char *text) {
    return text[0];
}

static void *print(void *argument) {
    int digit = *(int *)argument;
    for (int round = 0; round < 2; round++)
        assert(first(digit < 10 ? decimal(digit).of : none) == '3');
    return 0;
}

int main(void) {
    int digit = 3;
    pthread_t thread;
    pthread_create(&thread, 0, print, &digit);
    pthread_join(thread, 0);
    return 0;
}
