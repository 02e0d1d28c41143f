// expect: unsafe
// reason: A function of the library that is called through a table of pointers reads the text after it was freed.
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
        assert(text[0] == 'a');
        operations->release(text);
        operations->write(text); // use after free
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
