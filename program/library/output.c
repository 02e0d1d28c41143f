/* What functions that write text read and store. Of a text only the first byte is looked at. */
#include "model.h"

static void read_byte(const void *place)
{
    (void)*(const volatile char *)place;
}

void __mazurka_read_text(const char *text)
{
    read_byte(text);
}

/* perror takes a null pointer for no message. */
void __mazurka_read_message(const char *text)
{
    if (text)
        read_byte(text);
}

void __mazurka_read_block(const void *block, size_t size, size_t count)
{
    if (size != 0 && count != 0)
        read_byte(block);
}

/* Stores how many bytes were written. */
#define COUNT(width)                                                 \
    void __mazurka_count_##width(int##width##_t *target, long count) \
    {                                                                \
        *target = (int##width##_t)count;                             \
    }

COUNT(8)
COUNT(16)
COUNT(32)
COUNT(64)
