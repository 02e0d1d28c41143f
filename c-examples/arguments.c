// expect: safe
// reason: There are as many arguments as argc says, a null pointer follows the last, and only its own thread changes one.
// size: medium
// optimised: same
#include <assert.h>
#include <pthread.h>

static void *shorten(void *argument) {
    ((char *)argument)[1] = 0;
    return 0;
}

int main(int argc, char **argv) {
    assert(argc >= 1 && argv[0]);
    if (argc != 3)
        return 0;
    assert(argv[1] && argv[2] && !argv[3]);
    char first = argv[2][0];
    pthread_t thread;
    pthread_create(&thread, 0, shorten, argv[1]);
    assert(argv[2][0] == first);
    pthread_join(thread, 0);
    assert(argv[1][1] == 0);
    return 0;
}
