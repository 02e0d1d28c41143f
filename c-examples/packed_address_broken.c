// expect: unknown
// reason: The hash of a packed record has the bytes of its pointer in it: whether two records share a bucket is decided by where the
//   objects lie that they point to.
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

static int subjects[2];
static struct record records[2];

static unsigned bucket(const struct record *record) {
    uint64_t words[2] = {0, 0};
    memcpy(words, record, sizeof *record);
    return (words[0] >> 13 ^ words[1]) & 3;
}

static void *publish(void *unused) {
    records[1] = (struct record){1, &subjects[1], 2};
    return unused;
}

int main(void) {
    static int other;
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    records[0] = (struct record){1, &other, 2};
    pthread_join(thread, 0);
    assert(bucket(&records[0]) == bucket(&records[1]));
    return 0;
}
