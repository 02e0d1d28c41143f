// expect: safe
// reason: Each thread waits for its turn and gives it to the other one, three times.
// options: --property termination --fair
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uchar turn;

static void take_turns(unsigned char own, unsigned char other, unsigned char rounds) {
    for (unsigned char i = 0; i < rounds; i++) {
        while (turn != own) {
        }
        turn = other;
    }
}

static void *second(void *unused) {
    take_turns(1, 0, 3);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, second, NULL);
    take_turns(0, 1, 3);
    pthread_join(thread, NULL);
    return 0;
}
