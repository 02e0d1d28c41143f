// expect: safe
// reason: Pages are added only to the pointer that the thread has set, and lead to another one of the table.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

struct page {
    char bytes[4096];
};

static struct page table[3];
static struct page *_Atomic first;
static _Atomic int number = 2;

static void *publish(void *unused) {
    first = table;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    struct page *found = first;
    if (found)
        assert(found + number != table);
    pthread_join(thread, 0);
    return 0;
}
