/* Allocation beyond malloc, calloc and free, which the checker knows itself. */
#include "error_number.h"
#include "model.h"

extern void *malloc(size_t);
extern void free(void *);
extern void *memcpy(void *restrict, const void *restrict, size_t);

/* The object may stay where it is, or not. Growing one reads beyond its end, which is undefined: the old size is not known here.
   Size 0 is undefined in C23; before, libraries differ. */
void *realloc(void *old, size_t size)
{
    __mazurka_undefined_unless(!old || size != 0, "realloc to size 0");
    if (old && __VERIFIER_nondet_bool())
        return old;
    void *object = malloc(size);
    if (old)
        memcpy(object, old, size);
    free(old);
    return object;
}

static int is_power_of_two(size_t number)
{
    return number != 0 && (number & (number - 1)) == 0;
}

int posix_memalign(void **object, size_t alignment, size_t size)
{
    if (alignment % sizeof(void *) != 0 || !is_power_of_two(alignment)) {
        if (__VERIFIER_nondet_bool())
            *object = NULL;
        return INVALID;
    }
    *object = malloc(size);
    return 0;
}

/* Of alignments that there are none of, some libraries make others. */
void *aligned_alloc(size_t alignment, size_t size)
{
    if (is_power_of_two(alignment) || __VERIFIER_nondet_bool())
        return malloc(size);
    fail(INVALID);
    return NULL;
}
