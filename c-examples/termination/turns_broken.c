// expect: unsafe
// reason: The second thread takes back what the first one has counted, so both hand the turn over for ever.
// options: --property termination
// size: small
// optimised: same
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t first_turn, second_turn;
static unsigned char rounds;

static void *second(void *unused) {
    for (;;) {
        sem_wait(&second_turn);
        unsigned char round = rounds;
        rounds--;
        sem_post(&first_turn);
        if (round == 3)
            return unused;
    }
}

int main(void) {
    pthread_t thread;
    sem_init(&first_turn, 0, 1);
    sem_init(&second_turn, 0, 0);
    pthread_create(&thread, NULL, second, NULL);
    unsigned char round;
    do {
        sem_wait(&first_turn);
        rounds++;
        round = rounds;
        sem_post(&second_turn);
    } while (round < 3);
    pthread_join(thread, NULL);
    return 0;
}
