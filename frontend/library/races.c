/* What orders nothing where data races are looked for.

   Whether a try fails, and what a semaphore counts, tells something of what other threads have done, but does not come behind it: a race is one
   although such a result would have come about in no other way. So it may come about in any case there. Whether a race that is found
   behind is one is not certain then, and the variable says so. */
#include "model.h"

/* Why a race that is found may be none; 0 if it certainly is one. 2 is what weak atomic accesses leave open. */
enum { BEHIND_RESULT = 1, OF_TEXT = 3 };

unsigned char __mazurka_doubt;

extern long long __VERIFIER_nondet_longlong(void);

void __mazurka_read_wide(const char *);

_Bool __mazurka_comes_about(void)
{
    if (!__mazurka_choose())
        return 0;
    __mazurka_doubt = BEHIND_RESULT;
    return 1;
}

/* The read stands for one of all bytes from there on. */
void __mazurka_read_wide(const char *text)
{
    (void)*(const volatile char *)text;
}

void __mazurka_read_some(const char *text)
{
    if (!__mazurka_are_races_looked_for() || !__mazurka_choose())
        return;
    __mazurka_doubt = OF_TEXT;
    __mazurka_read_wide(text);
    __VERIFIER_assume(0);
}

static void read_byte(const void *block, size_t index)
{
    (void)((const volatile char *)block)[index];
}

/* A race with any of the bytes is one with the byte that is chosen. */
void __mazurka_read_bytes(const void *block, size_t size)
{
    if (size == 0)
        return;
    read_byte(block, 0);
    read_byte(block, size - 1);
    if (__mazurka_are_races_looked_for()) {
        size_t index = (size_t)__VERIFIER_nondet_longlong();
        if (index < size)
            read_byte(block, index);
    }
}
