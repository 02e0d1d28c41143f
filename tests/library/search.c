// functions: memrchr memmem strstr strchrnul strspn strcspn strpbrk strtok_r strtok strsep strcasecmp strncasecmp stpncpy strndup
// functions: strcasestr
#include <string.h>
#include <strings.h>

#include "check.h"

static char text[] = "abcabcd", line[] = ",a,,b", other[] = "x y", third[] = "1:2";
static char block[8];

static int sign(int number)
{
    return (number > 0) - (number < 0);
}

int main(void)
{
    char *rest, *fields = third;
    char *nothing = 0;
    CHECK((char *)memrchr(text, 'b', 7) - text);
    CHECK(memrchr(text, 'd', 6) == 0);
    CHECK((char *)memmem(text, 7, "cd", 2) - text);
    CHECK(memmem(text, 7, "ce", 2) == 0);
    CHECK(memmem(text, 1, "ab", 2) == 0);
    CHECK(memmem(text, 0, "", 0) == text);
    CHECK(strstr(text, "bcd") - text);
    CHECK(strstr(text, "bcx") == 0);
    CHECK(strstr(text, "") == text);
    CHECK(strcasestr(text, "BCD") - text);
    CHECK(strcasestr(text, "bcx") == 0);
    CHECK(strcasestr(text, "") == text);
    CHECK(strcasestr("", "a") == 0);
    UNDEFINED(strcasestr(text, nothing) == 0);
    CHECK(strchrnul(text, 'c') - text);
    CHECK(strchrnul(text, 'x') - text);
    CHECK(strspn(text, "ab"));
    CHECK(strcspn(text, "dc"));
    CHECK(strcspn(text, ""));
    CHECK(strpbrk(text, "xc") - text);
    CHECK(strpbrk(text, "x") == 0);

    CHECK(strtok_r(line, ",", &rest) - line);
    CHECK(strtok_r(0, ",", &rest) - line);
    CHECK(strtok_r(0, ",", &rest) == 0);
    CHECK(line[2]);
    CHECK(strtok(other, " ") - other);
    CHECK(strtok(0, " ") - other);
    CHECK(strtok(0, " ") == 0);
    CHECK(strsep(&fields, ":") - third);
    CHECK(strsep(&fields, ":") - third);
    CHECK(strsep(&fields, ":") == 0);

    CHECK(sign(strcasecmp("aBc", "AbD")));
    CHECK(strcasecmp("aBc", "AbC"));
    CHECK(sign(strcasecmp("_", "A")));
    CHECK(strncasecmp("abX", "ABy", 2));
    CHECK(stpncpy(block, "ab", 8) - block);
    CHECK(stpncpy(block, "abcd", 3) - block);
    CHECK(block[3]);
    char *copy = strndup(text, 3);
    CHECK(strcmp(copy, "abc"));
    free(copy);

    UNDEFINED(memrchr(block, 'x', 9));
    UNDEFINED(strstr(nothing, "a"));
    UNDEFINED(strspn("a", nothing));
    UNDEFINED(strcasecmp(nothing, "a"));
    UNDEFINED(strtok_r(0, ",", (char **)nothing));
    UNDEFINED(stpncpy(block, text, 9));
    END;
}
