// expect: safe
// reason: On x86, members of 64 bits lie at multiples of 4. In LP64 they lie at multiples of 8.
// options: --data-model=ILP32
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

struct message {
    char kind;
    long long number;
    void *next;
};

static struct message message;

static void *fill(void *argument) {
    memset(argument, 1, 4);
    return (char *)argument + 4;
}

int main(void) {
    pthread_t thread;
    void *number;
    pthread_create(&thread, 0, fill, &message);
    pthread_join(thread, &number);
    *(long long *)number = 5;
    assert(message.kind == 1 && message.number == 5);
    assert(sizeof message == 16 && offsetof(struct message, next) == 12);
    return 0;
}
