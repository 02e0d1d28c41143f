// expect: safe
// reason: The first reader takes the writers' mutex and the last one gives it back, so the writer
//   is alone. A mutex may not be released by another thread than its owner, hence the semaphore.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t room;
static int readers;
static int data;

static void *write_data(void *unused) {
    sem_wait(&room);
    data = 1;
    assert(data == 1 && readers == 0);
    data = 2;
    sem_post(&room);
    return unused;
}

static void *read_data(void *unused) {
    pthread_mutex_lock(&count_lock);
    if (readers == 0)
        sem_wait(&room);
    readers++;
    pthread_mutex_unlock(&count_lock);
    assert(data != 1);
    pthread_mutex_lock(&count_lock);
    readers--;
    if (readers == 0)
        sem_post(&room);
    pthread_mutex_unlock(&count_lock);
    return unused;
}

int main(void) {
    sem_init(&room, 0, 1);
    pthread_t w, r, s;
    pthread_create(&w, 0, write_data, 0);
    pthread_create(&r, 0, read_data, 0);
    pthread_create(&s, 0, read_data, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
    pthread_join(s, 0);
    return 0;
}
