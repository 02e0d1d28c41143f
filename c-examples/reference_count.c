// expect: safe
// reason: Exactly one thread sees the count go to 0 and frees the object; no thread uses it after
//   giving up its reference.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
    int value;
};

static atomic_int freed;

static void *use(void *argument) {
    struct object *object = argument;
    assert(object->value == 8);
    if (atomic_fetch_sub(&object->references, 1) == 1) {
        free(object);
        atomic_fetch_add(&freed, 1);
    }
    return 0;
}

int main(void) {
    struct object *object = malloc(sizeof *object);
    if (!object)
        abort();
    atomic_init(&object->references, 2);
    object->value = 8;
    pthread_t a, b;
    pthread_create(&a, 0, use, object);
    pthread_create(&b, 0, use, object);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(atomic_load(&freed) == 1);
    return 0;
}
