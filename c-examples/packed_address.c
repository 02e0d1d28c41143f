// expect: safe
// reason: A packed record is read by whole words that begin or end within its pointer. The bytes beside the pointer are exact, those of
//   the pointer are those of its number.
// size: large
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

struct __attribute__((packed)) record {
    char kind;
    void *subject;
    int count;
};

static int subject;
static struct record record;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *publish(void *unused) {
    pthread_mutex_lock(&lock);
    record = (struct record){1, &subject, 7};
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    pthread_mutex_lock(&lock);
    uint64_t start, end;
    memcpy(&start, &record, sizeof start);
    memcpy(&end, (char *)&record + 5, sizeof end);
    if (record.kind == 1) {
        uint64_t number = (uintptr_t)&subject;
        assert((start & 0xff) == 1);
        assert(start >> 8 == (number & UINT64_MAX >> 8));
        assert(end >> 32 == 7);
        assert((uint32_t)end == number >> 32);
    } else {
        assert(start == 0 && end == 0);
    }
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
