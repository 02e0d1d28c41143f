/* What functions that write text read and store. */
#include "model.h"

extern size_t strlen(const char *);
extern size_t strnlen(const char *, size_t);

void __mazurka_read_text(const char *text)
{
    strlen(text);
}

/* Reads at most so many bytes; a negative precision is none. */
void __mazurka_read_start(const char *text, int precision)
{
    if (precision < 0)
        strlen(text);
    else
        strnlen(text, (size_t)precision);
}

/* perror takes a null pointer for no message. */
void __mazurka_read_message(const char *text)
{
    if (text)
        strlen(text);
}

void __mazurka_read_block(const void *block, size_t size, size_t count)
{
    size_t length;
    if (size == 0 || count == 0)
        return;
    __mazurka_undefined_unless(!__builtin_mul_overflow(size, count, &length), "a block that is larger than memory");
    __mazurka_read_bytes(block, length);
}

/* Stores how many bytes were written. */
#define COUNT(width)                                                      \
    void __mazurka_count_##width(int##width##_t *target, long long count) \
    {                                                                     \
        *target = (int##width##_t)count;                                  \
    }

COUNT(8)
COUNT(16)
COUNT(32)
COUNT(64)
