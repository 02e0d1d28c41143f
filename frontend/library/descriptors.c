/* Reading and writing by file descriptors. What a process has open when it starts is not known, nor what comes from there: results and bytes are
   inputs, as long as the program closes nothing. */
#include <sys/random.h>
#include <unistd.h>

#include "error_number.h"
#include "model.h"

extern char __VERIFIER_nondet_char(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern size_t strlen(const char *);

enum { BAD_DESCRIPTOR = 9 };

/* Why a call fails is not known. */
static int fail_somehow(void)
{
    return fail(some_error());
}

/* How many of so many bytes are transferred, or -1. */
static ssize_t transfer(int file, size_t size)
{
    if (file < 0)
        return fail(BAD_DESCRIPTOR);
    __mazurka_undefined_unless(size <= SIZE_MAX / 2, "transfer of more bytes than the result can say");
    ssize_t count = __mazurka_is_used("close") ? __mazurka_unknown_long() : __VERIFIER_nondet_long();
    if (count < 0 || count > (ssize_t)size)
        return fail_somehow();
    return count;
}

ssize_t write(int file, const void *bytes, size_t size)
{
    __mazurka_read_bytes(bytes, size);
    return transfer(file, size);
}

ssize_t read(int file, void *bytes, size_t size)
{
    ssize_t count = transfer(file, size);
    for (ssize_t index = 0; index < count; index++)
        ((char *)bytes)[index] = __VERIFIER_nondet_char();
    return count;
}

/* The number that was given last, from 1; 0 if none was. */
static unsigned last;

/* The least number that is free, so a greater one than the last unless the program closes some. */
int open(const char *path, int flags, ...)
{
    unsigned given = 0;
    (void)flags;
    strlen(path);
    if (__VERIFIER_nondet_bool())
        return fail_somehow();
    if (__mazurka_is_used("close"))
        return __mazurka_unknown_int() & INT32_MAX;
    __VERIFIER_atomic_begin();
    unsigned next = __VERIFIER_nondet_uint();
    if (next > last && next <= INT32_MAX) {
        last = next;
        given = next;
    }
    __VERIFIER_atomic_end();
    return given == 0 ? fail_somehow() : (int)(given - 1);
}

int close(int file)
{
    if (file < 0)
        return fail(BAD_DESCRIPTOR);
    if (__mazurka_unknown_char() != 0)
        return fail_somehow();
    return 0;
}

/* Linux gives up to 256 bytes at once, and does not fail. */
ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
    if (flags != 0 || size > 256)
        __mazurka_unsupported("random bytes with flags, or more than 256 of them");
    for (size_t index = 0; index < size; index++)
        ((char *)bytes)[index] = __VERIFIER_nondet_char();
    return (ssize_t)size;
}
