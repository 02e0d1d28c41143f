// expect: safe
// reason: The threads write to different members of one structure and different bytes of one word;
//   these accesses do not disturb each other.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static struct {
    char tag;
    short small[2];
    int large;
} record = {'r', {0, 0}, 0};

static void *left(void *unused) {
    record.small[0] = -1;
    record.large = 70000;
    return unused;
}

static void *right(void *unused) {
    record.small[1] = 300;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(record.tag == 'r');
    assert(record.small[0] == -1 && record.small[1] == 300);
    assert(record.large == 70000);
    return 0;
}
