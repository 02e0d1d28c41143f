// expect: safe
// reason: The library's functions that are called through a table of pointers read texts that end, and memory before it is freed.
// size: medium
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct operations {
    int (*write)(const char *);
    void (*release)(void *);
};

static const struct operations standard = {puts, free};
static const struct operations *volatile operations = &standard;

static void *work(void *unused) {
    char *text = calloc(2, 1);
    if (text) {
        text[0] = 'a';
        operations->write(text);
        assert(text[0] == 'a');
        operations->release(text);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
