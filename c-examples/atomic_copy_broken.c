// expect: unsafe
// reason: The number of the record is 3. Bytes of its name that no thread wrote are copied with it in one step, and any may hold anything.
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <string.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

struct record {
    int number;
    char name[12];
};

static struct record shared;

static void *publish(void *unused) {
    struct record own;
    own.number = 3;
    strcpy(own.name, "ab");
    __VERIFIER_atomic_begin();
    shared = own;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    pthread_join(thread, 0);
    assert(shared.number == 4);
    return 0;
}
