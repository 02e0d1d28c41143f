// expect: safe
// reason: Each thread jumps out of its recursion to its own place, with the result that it passes.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static _Thread_local jmp_buf place;

static int parse(int depth) {
    if (depth == 0)
        longjmp(place, 7);
    return parse(depth - 1);
}

static int attempt(void) {
    int result = setjmp(place);
    if (result != 0)
        return result;
    return parse(2);
}

static void *work(void *sum) {
    *(int *)sum = attempt() + attempt();
    return 0;
}

int main(void) {
    pthread_t t;
    int first, second;
    pthread_create(&t, 0, work, &first);
    work(&second);
    pthread_join(t, 0);
    assert(first == 14 && second == 14);
    return 0;
}
