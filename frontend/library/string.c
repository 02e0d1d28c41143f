/* Strings and blocks of memory. Blocks are copied by words first: a word that holds a pointer stays in one piece. */
#include "model.h"

typedef uintptr_t __attribute__((may_alias, aligned(1))) word;

extern void *malloc(size_t);

/* Whether the second block starts behind the start of the first, inside of it. The distance of blocks in different objects says
   nothing. */
static _Bool starts_inside(const char *block, const char *other, size_t size)
{
    size_t distance = (uintptr_t)other - (uintptr_t)block;
    return distance != 0 && distance < size;
}

static void copy_upwards(char *target, const char *source, size_t size)
{
    for (; size >= sizeof(word); size -= sizeof(word)) {
        *(word *)target = *(const word *)source;
        target += sizeof(word);
        source += sizeof(word);
    }
    for (; size > 0; size--)
        *target++ = *source++;
}

static _Bool are_in_one_object(const void *one, const void *other)
{
    return __mazurka_may_overlap(one, other) && __mazurka_object(one) == __mazurka_object(other);
}

/* What every copy requires. A block may be copied to itself, as an assignment does. */
static _Bool overlap(const void *one, const void *other, size_t size)
{
    return are_in_one_object(one, other) && (starts_inside(one, other, size) || starts_inside(other, one, size));
}

/* Where copies of a constant length, which assignments are, too, are expanded, this is called before. */
void __mazurka_require_apart(const void *to, const void *from, size_t size)
{
    __mazurka_undefined_unless(!overlap(to, from, size),
                               "copy of a block to memory that overlaps with it");
}

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    __mazurka_require_apart(to, from, size);
    copy_upwards(to, from, size);
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    char *target = to;
    const char *source = from;
    /* Copying upwards is right unless the target starts inside the source. */
    if (!are_in_one_object(to, from) || !starts_inside(source, target, size)) {
        copy_upwards(to, from, size);
        return to;
    }
    for (; size >= sizeof(word); size -= sizeof(word))
        *(word *)(target + size - sizeof(word)) = *(const word *)(source + size - sizeof(word));
    for (; size > 0; size--)
        target[size - 1] = source[size - 1];
    return to;
}

void *memset(void *to, int byte, size_t size)
{
    char *target = to;
    word pattern = (unsigned char)byte * UINT64_C(0x0101010101010101);
    for (; size >= sizeof(word); size -= sizeof(word)) {
        *(word *)target = pattern;
        target += sizeof(word);
    }
    for (; size > 0; size--)
        *target++ = (char)byte;
    return to;
}

/* Both blocks must be there up to their ends, wherever they differ. */
int memcmp(const void *left, const void *right, size_t size)
{
    const unsigned char *a = left;
    const unsigned char *b = right;
    if (size > 0) {
        (void)*(const volatile unsigned char *)(a + size - 1);
        (void)*(const volatile unsigned char *)(b + size - 1);
    }
    for (; size > 0; size--, a++, b++)
        if (*a != *b)
            return *a - *b;
    return 0;
}

int bcmp(const void *left, const void *right, size_t size)
{
    return memcmp(left, right, size);
}

void *mempcpy(void *restrict to, const void *restrict from, size_t size)
{
    return (char *)memcpy(to, from, size) + size;
}

void bzero(void *to, size_t size)
{
    memset(to, 0, size);
}

void explicit_bzero(void *to, size_t size)
{
    memset(to, 0, size);
}

void bcopy(const void *from, void *to, size_t size)
{
    memmove(to, from, size);
}

void *memccpy(void *restrict to, const void *restrict from, int byte, size_t size)
{
    const unsigned char *source = from;
    unsigned char *target = to;
    for (size_t index = 0; index < size; index++) {
        target[index] = source[index];
        if (source[index] == (unsigned char)byte) {
            __mazurka_require_apart(to, from, index + 1);
            return target + index + 1;
        }
    }
    __mazurka_require_apart(to, from, size);
    return NULL;
}

void *memchr(const void *block, int byte, size_t size)
{
    const unsigned char *position = block;
    for (; size > 0; size--, position++)
        if (*position == (unsigned char)byte)
            return (void *)position;
    return NULL;
}

void *rawmemchr(const void *block, int byte)
{
    return memchr(block, byte, SIZE_MAX);
}

size_t strlen(const char *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

size_t strnlen(const char *text, size_t most)
{
    size_t length = 0;
    while (length < most && text[length])
        length++;
    return length;
}

int strncmp(const char *left, const char *right, size_t size)
{
    for (; size > 0; size--, left++, right++)
        if (*left != *right || *left == 0)
            return (unsigned char)*left - (unsigned char)*right;
    return 0;
}

int strcmp(const char *left, const char *right)
{
    return strncmp(left, right, SIZE_MAX);
}

/* Of two blocks that overlap one starts inside the other. Checked byte by byte, behind the access to the byte: then both
   places are inside of their objects. */
static void require_apart(const char *to, const char *from, size_t index)
{
    __mazurka_undefined_unless(to + index != from && from + index != to, "copy of a string to memory that overlaps with it");
}

char *strcpy(char *restrict to, const char *restrict from)
{
    char byte;
    size_t index = 0;
    do {
        byte = from[index];
        to[index] = byte;
        require_apart(to, from, index);
        index++;
    } while (byte);
    return to;
}

char *stpcpy(char *restrict to, const char *restrict from)
{
    return strcpy(to, from) + strlen(from);
}

char *strncpy(char *restrict to, const char *restrict from, size_t size)
{
    size_t index = 0;
    char byte = 1;
    while (index < size && byte) {
        byte = from[index];
        to[index] = byte;
        require_apart(to, from, index);
        index++;
    }
    for (; index < size; index++) {
        to[index] = 0;
        __mazurka_undefined_unless(to + index != from, "copy of a string to memory that overlaps with it");
    }
    return to;
}

char *strcat(char *restrict to, const char *restrict from)
{
    strcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t size)
{
    char *end = to + strlen(to);
    size_t index = 0;
    for (; index < size && from[index]; index++) {
        end[index] = from[index];
        require_apart(end, from, index);
    }
    end[index] = 0;
    /* The source goes on to its end, if that was reached. */
    __mazurka_undefined_unless(end + index != from && (index == size || from + index != end),
                               "copy of a string to memory that overlaps with it");
    return to;
}

char *strchr(const char *text, int character)
{
    for (;; text++) {
        if (*text == (char)character)
            return (char *)text;
        if (*text == 0)
            return NULL;
    }
}

char *strrchr(const char *text, int character)
{
    const char *last = NULL;
    do {
        if (*text == (char)character)
            last = text;
    } while (*text++);
    return (char *)last;
}

char *index(const char *text, int character)
{
    return strchr(text, character);
}

char *rindex(const char *text, int character)
{
    return strrchr(text, character);
}

/* Programs start in the locale "C". */
int strcoll(const char *left, const char *right)
{
    return strcmp(left, right);
}

char *strdup(const char *text)
{
    return strcpy(malloc(strlen(text) + 1), text);
}
