// expect: safe
// reason: The inner loop starts again when the bound was changed, which happens three times.
// options: --property termination
// size: small
// optimised: same
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char bound = 2;
static bool is_done;

static unsigned char read_bound(void) {
    pthread_mutex_lock(&lock);
    unsigned char now = bound;
    pthread_mutex_unlock(&lock);
    return now;
}

static void *change(void *unused) {
    bool goes_on = true;
    for (unsigned char i = 0; goes_on && i < 3; i++) {
        pthread_mutex_lock(&lock);
        bound = bound == 2 ? 3 : 2;
        goes_on = !is_done;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, change, NULL);
    for (unsigned char i = 0; i < 2; i++) {
        unsigned char last = read_bound();
        for (unsigned char j = 0; j < last; j++) {
            unsigned char now = read_bound();
            if (now != last) {
                last = now;
                j = 0;
            }
        }
    }
    pthread_mutex_lock(&lock);
    is_done = true;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
