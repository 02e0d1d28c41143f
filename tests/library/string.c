// functions: memcpy memmove memset memcmp bcmp mempcpy memchr strlen strnlen strcmp strncmp strcpy stpcpy strncpy strcat
// functions: strncat strchr strrchr strdup bzero explicit_bzero bcopy memccpy rawmemchr index rindex strcoll
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "check.h"

static char block[24], small[4];
static const char text[] = "abcabc";

/* A number that depends on every byte. */
static unsigned sum(const char *bytes, int size)
{
    unsigned total = 0;
    for (int i = 0; i < size; i++)
        total = 31 * total + (unsigned char)bytes[i];
    return total;
}

static int sign(int number)
{
    return (number > 0) - (number < 0);
}

int main(void)
{
    CHECK(memset(block, 0x1ff, 11) == block);
    CHECK(sum(block, 24));
    CHECK(memcpy(block + 1, text, 7) == block + 1);
    CHECK(sum(block, 24));
    CHECK(memmove(block + 3, block, 12) == block + 3);
    CHECK(sum(block, 24));
    CHECK(memmove(block, block + 2, 13) == block);
    CHECK(sum(block, 24));
    CHECK((char *)mempcpy(block, text, 4) - block);
    CHECK(sum(block, 24));
    CHECK(sign(memcmp("abc", "abd", 3)));
    CHECK(sign(memcmp("abc", "abd", 2)));
    CHECK(sign(memcmp("\xff", "a", 1)));
    CHECK(memcmp(text, block, 0));
    CHECK(bcmp("ab", "ac", 2) != 0);
    CHECK(bcmp("ab", "ac", 1));
    CHECK((char *)memchr(text, 'c', 6) - text);
    CHECK((char *)memchr(text, 'c' + 256, 6) - text);
    CHECK(memchr(text, 'c', 2) == 0);
    CHECK(memchr(text, 0, 7) == text + 6);

    CHECK((char *)memccpy(block, text, 'b', 6) - block);
    CHECK(sum(block, 24));
    CHECK(memccpy(block + 6, text, 'x', 5) == 0);
    CHECK(sum(block, 24));
    UNDEFINED(memccpy(block + 1, block, 'x', 5) == 0);
    UNDEFINED(memccpy(small, text, 'x', 5) == 0);
    CHECK((char *)rawmemchr(text, 'c') - text);
    UNDEFINED((char *)rawmemchr(text, 'x') - text);
    bcopy(text, block + 2, 4);
    CHECK(sum(block, 24));
    bcopy(block, block + 1, 7);
    CHECK(sum(block, 24));
    bzero(block + 3, 2);
    explicit_bzero(block + 9, 1);
    CHECK(sum(block, 24));
    CHECK(index(text, 'c') - text);
    CHECK(index(text, 'x') == 0);
    CHECK(rindex(text, 'c') - text);
    CHECK(rindex(text, 'x') == 0);
    CHECK(sign(strcoll("a", "ab")));
    CHECK(sign(strcoll("b", "ab")));
    CHECK(strcoll(text, "abcabc"));

    CHECK(strlen(text));
    CHECK(strlen(""));
    CHECK(strnlen(text, 3));
    CHECK(strnlen(text, 10));
    CHECK(sign(strcmp("a", "ab")));
    CHECK(sign(strcmp("b", "ab")));
    CHECK(sign(strcmp("\x80", "a")));
    CHECK(strcmp(text, "abcabc"));
    CHECK(sign(strncmp("abc", "abd", 3)));
    CHECK(strncmp("abc", "abd", 2));
    CHECK(strncmp("a\0b", "a\0c", 3));
    CHECK(strcpy(block, "xy") == block);
    CHECK(sum(block, 24));
    CHECK(strcat(block, "z") == block);
    CHECK(sum(block, 24));
    CHECK(stpcpy(block, "four") - block);
    CHECK(sum(block, 24));
    CHECK(strncpy(block, "q", 5) == block);
    CHECK(sum(block, 24));
    CHECK(strncpy(block, text, 2) == block);
    CHECK(sum(block, 24));
    CHECK(strchr(text, 'b') - text);
    CHECK(strchr(text, 0) - text);
    CHECK(strchr(text, 'x') == 0);
    CHECK(strrchr(text, 'b') - text);
    CHECK(strrchr(text, 0) - text);
    CHECK(strrchr(text, 'x') == 0);
    CHECK(strncat(strcpy(block, "xy"), text, 2) == block);
    CHECK(sum(block, 24));
    CHECK(strncat(block, "q", 5) == block);
    CHECK(sum(block, 24));
    CHECK(strncat(block, text, 0) == block);
    CHECK(sum(block, 24));
    char *copy = strdup(text);
    CHECK(copy != text && strcmp(copy, text) == 0);
    free(copy);

    UNDEFINED(memcpy(small, text, 5));
    UNDEFINED(memset(small, 0, 5));
    UNDEFINED(strcpy(small, text));
    UNDEFINED(strlen(0));
    UNDEFINED(memcmp(small, text, 7));
    UNDEFINED(memchr(small, 'x', 5));

    strcpy(block, "abcd");
    CHECK(strcpy(block + 5, block) == block + 5);
    UNDEFINED(strcpy(block + 4, block));
    UNDEFINED(strcpy(block, block + 1));
    UNDEFINED(strcpy(block, block));
    UNDEFINED(stpcpy(block + 1, block));
    UNDEFINED(strcat(block, block + 1));
    CHECK(strncpy(block, block + 2, 2) == block);
    strcpy(block, "abcd");
    CHECK(strncat(block, block + 1, 3) == block);
    CHECK(sum(block, 24));
    UNDEFINED(strncat(block, block, 30));
    UNDEFINED(strncat(block, block + 1, 7));
    UNDEFINED(strncat(block, block + 7, 3));
    strcpy(block, "abcd");
    UNDEFINED(strncpy(block, block + 2, 3));
    UNDEFINED(strncpy(block + 2, block, 3));
    CHECK(memcpy(block + 4, block, 4) == block + 4);
    UNDEFINED(memcpy(block + 3, block, 4));
    UNDEFINED(memcpy(block, block + 3, 4));
    END;
}
