/* Allocation beyond malloc and free, which the checker knows itself, as it does calloc where the product fits. */
#include "error_number.h"
#include "model.h"

extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void free(void *);
extern void *memcpy(void *restrict, const void *restrict, size_t);

/* The new object may lie where the old one did, or not, as `malloc` may use memory again that was freed; so the content is kept elsewhere
   meanwhile. Size 0 is undefined in C23; before, libraries differ. */
void *realloc(void *old, size_t size)
{
    if (!old)
        return malloc(size);
    __mazurka_undefined_unless(size != 0, "realloc to size 0");
    size_t kept = __mazurka_size(old);
    if (kept > size)
        kept = size;
    void *copy = malloc(size);
    memcpy(copy, old, kept);
    free(old);
    void *object = malloc(size);
    memcpy(object, copy, kept);
    free(copy);
    return object;
}

/* Stands for `calloc` where the product is not seen to fit before the program runs. */
void *__mazurka_calloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        fail(OUT_OF_MEMORY);
        return NULL;
    }
    return calloc(1, bytes);
}

static int is_power_of_two(size_t number)
{
    return number != 0 && (number & (number - 1)) == 0;
}

/* No standard says what is in `errno` after an alignment that is none; C libraries differ. */
static void may_fail(void)
{
    if (__VERIFIER_nondet_bool())
        fail(INVALID);
}

int posix_memalign(void **object, size_t alignment, size_t size)
{
    if (alignment % sizeof(void *) != 0 || !is_power_of_two(alignment)) {
        if (__VERIFIER_nondet_bool())
            *object = NULL;
        may_fail();
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
    may_fail();
    return NULL;
}
