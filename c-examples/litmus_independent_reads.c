// expect: safe
// reason: Two readers cannot disagree on the order of two independent writes under sequential
//   consistency.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static volatile int x, y;
static int x_first, y_first;

static void *write_x(void *unused) {
    x = 1;
    return unused;
}

static void *write_y(void *unused) {
    y = 1;
    return unused;
}

static void *read_xy(void *unused) {
    int a = x;
    int b = y;
    x_first = a && !b;
    return unused;
}

static void *read_yx(void *unused) {
    int a = y;
    int b = x;
    y_first = a && !b;
    return unused;
}

int main(void) {
    pthread_t t[4];
    pthread_create(&t[0], 0, write_x, 0);
    pthread_create(&t[1], 0, write_y, 0);
    pthread_create(&t[2], 0, read_xy, 0);
    pthread_create(&t[3], 0, read_yx, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(!(x_first && y_first));
    return 0;
}
