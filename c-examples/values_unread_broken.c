// expect: unsafe
// reason: The number of the process counts, which is any positive one.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct job {
    long number, result;
};

static int done;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument) {
    struct job *job = argument, *copy = malloc(sizeof *copy);
    pid_t process = getpid();
    if (!copy)
        return 0;
    *copy = *job;
    pthread_mutex_lock(&mutex);
    done += process;
    pthread_mutex_unlock(&mutex);
    free(copy);
    return 0;
}

int main(void) {
    pthread_t workers[2];
    struct job job;
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], 0, work, &job);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], 0);
    assert(done <= 2);
    return 0;
}
