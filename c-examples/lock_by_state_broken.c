// expect: unsafe
// reason: The block comes into use without the lock of the table, so that somebody who has just found it unused clears it
//   between the two statements of who writes it.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t file_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static bool has_block, in_use;
static int block;

static void *append(void *unused) {
    pthread_mutex_lock(&file_lock);
    if (!has_block) {
        in_use = true;
        has_block = true;
    }
    block = 1;
    assert(block == 1);
    pthread_mutex_unlock(&file_lock);
    return unused;
}

static void *clear_unused(void *unused) {
    pthread_mutex_lock(&table_lock);
    if (!in_use) {
        block = 0;
        assert(block == 0);
    }
    pthread_mutex_unlock(&table_lock);
    return unused;
}

int main(void) {
    pthread_t writer, cleaner;
    pthread_create(&writer, 0, append, 0);
    pthread_create(&cleaner, 0, clear_unused, 0);
    pthread_join(writer, 0);
    pthread_join(cleaner, 0);
    return 0;
}
