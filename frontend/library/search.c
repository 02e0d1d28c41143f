/* Searching in strings and blocks of memory, and parts of strings. */
#include "model.h"

extern void *malloc(size_t);
extern void *memcpy(void *restrict, const void *restrict, size_t);
extern int memcmp(const void *, const void *, size_t);
extern size_t strlen(const char *);
extern size_t strnlen(const char *, size_t);
extern char *strchr(const char *, int);
extern char *strncpy(char *restrict, const char *restrict, size_t);

/* The block must be there as a whole. */
void *memrchr(const void *block, int byte, size_t size)
{
    const unsigned char *start = block;
    while (size > 0)
        if (start[--size] == (unsigned char)byte)
            return (void *)(start + size);
    return NULL;
}

void *memmem(const void *block, size_t size, const void *part, size_t length)
{
    const char *start = block;
    for (; size >= length; start++, size--)
        if (memcmp(start, part, length) == 0)
            return (void *)start;
    return NULL;
}

static _Bool starts_with(const char *text, const char *part)
{
    for (; *part; text++, part++)
        if (*text != *part)
            return 0;
    return 1;
}

char *strstr(const char *text, const char *part)
{
    for (;; text++) {
        if (starts_with(text, part))
            return (char *)text;
        if (*text == 0)
            return NULL;
    }
}

char *strchrnul(const char *text, int character)
{
    while (*text && *text != (char)character)
        text++;
    return (char *)text;
}

size_t strspn(const char *text, const char *set)
{
    size_t length = 0;
    while (text[length] && strchr(set, text[length]))
        length++;
    return length;
}

size_t strcspn(const char *text, const char *set)
{
    size_t length = 0;
    while (text[length] && !strchr(set, text[length]))
        length++;
    return length;
}

char *strpbrk(const char *text, const char *set)
{
    const char *found = text + strcspn(text, set);
    return *found ? (char *)found : NULL;
}

char *strtok_r(char *restrict text, const char *restrict set, char **restrict rest)
{
    if (!text)
        text = *rest;
    text += strspn(text, set);
    if (*text == 0) {
        *rest = text;
        return NULL;
    }
    char *end = text + strcspn(text, set);
    if (*end)
        *end++ = 0;
    *rest = end;
    return text;
}

char *strtok(char *restrict text, const char *restrict set)
{
    static char *rest;
    return strtok_r(text, set, &rest);
}

char *strsep(char **restrict rest, const char *restrict set)
{
    char *text = *rest;
    if (!text)
        return NULL;
    char *end = text + strcspn(text, set);
    if (*end)
        *end++ = 0;
    else
        end = NULL;
    *rest = end;
    return text;
}

/* Letters of the C locale. */
static int lower(char letter)
{
    unsigned char byte = (unsigned char)letter;
    return byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte;
}

int strncasecmp(const char *left, const char *right, size_t size)
{
    for (; size > 0; size--, left++, right++)
        if (lower(*left) != lower(*right) || *left == 0)
            return lower(*left) - lower(*right);
    return 0;
}

int strcasecmp(const char *left, const char *right)
{
    return strncasecmp(left, right, SIZE_MAX);
}

char *strcasestr(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (;; text++) {
        if (strncasecmp(text, part, length) == 0)
            return (char *)text;
        if (*text == 0)
            return NULL;
    }
}

char *stpncpy(char *restrict to, const char *restrict from, size_t size)
{
    strncpy(to, from, size);
    return to + strnlen(to, size);
}

char *strndup(const char *text, size_t most)
{
    size_t length = strnlen(text, most);
    char *copy = malloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}
