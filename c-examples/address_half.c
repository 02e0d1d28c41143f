// expect: safe
// reason: The low half of a pointer is read as a number. Only the bits below the alignment are used, and whether two halves are equal
//   where the pointers are.
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>

union word {
    void *pointer;
    unsigned halves[2];
};

static int objects[2] __attribute__((aligned(64)));
static union word word;

static void *publish(void *unused) {
    word.pointer = &objects[1];
    return unused;
}

int main(void) {
    pthread_t thread;
    word.pointer = &objects[0];
    pthread_create(&thread, 0, publish, 0);
    unsigned seen = word.halves[0];
    assert(seen % 64 == 0 || seen % 64 == sizeof(int));
    pthread_join(thread, 0);
    union word copy = {&objects[1]};
    assert(word.halves[0] == copy.halves[0]);
    assert(word.halves[0] % 64 == sizeof(int));
    return 0;
}
