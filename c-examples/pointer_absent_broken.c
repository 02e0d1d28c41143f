// expect: unknown
// reason: Before the thread sets the pointer, pages are added to null; C gives that no value, and on some machine it is the address of the table.
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
    struct page *last = first + number;
    assert(last != table);
    pthread_join(thread, 0);
    return 0;
}
