// expect: safe
// reason: Threads take different entries under the mutex, all of them inside of the log. Nobody reads what the 3000 entries hold.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

enum { ENTRIES = 3000 };

struct entry {
    int thread;
    int number;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int used;
static struct entry entries[ENTRIES];

static void *work(void *argument) {
    int *thread = argument;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        entries[used].thread = *thread;
        entries[used].number = i;
        used++;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    pthread_t other;
    int threads[] = {1, 2};
    pthread_create(&other, 0, work, &threads[0]);
    work(&threads[1]);
    pthread_join(other, 0);
    assert(used == 4);
}
