// expect: safe
// reason: A wait may end without a signal, so the consumer looks again whether there is an item.
// size: medium
// optimised: same
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t filled;
static int items;

static int produce(void *unused) {
    (void)unused;
    mtx_lock(&mutex);
    items++;
    cnd_signal(&filled);
    mtx_unlock(&mutex);
    return 0;
}

int main(void) {
    thrd_t producer;
    mtx_init(&mutex, mtx_plain);
    cnd_init(&filled);
    thrd_create(&producer, produce, 0);
    mtx_lock(&mutex);
    while (items == 0)
        cnd_wait(&filled, &mutex);
    assert(items == 1);
    mtx_unlock(&mutex);
    thrd_join(producer, 0);
    cnd_destroy(&filled);
    mtx_destroy(&mutex);
    return 0;
}
