// functions: atoi atol atoll strtol strtoll strtoul strtoull __isoc23_strtol __isoc23_strtoll __isoc23_strtoul __isoc23_strtoull abs labs llabs
#include <stdlib.h>

#include "check.h"

/* A C library of 2023 has them, and others may not. */
#ifdef NATIVE
#define __isoc23_strtol strtol
#define __isoc23_strtoll strtoll
#define __isoc23_strtoul strtoul
#define __isoc23_strtoull strtoull
#else
long __isoc23_strtol(const char *, char **, int);
long long __isoc23_strtoll(const char *, char **, int);
unsigned long __isoc23_strtoul(const char *, char **, int);
unsigned long long __isoc23_strtoull(const char *, char **, int);
#endif

static const char text[] = " -12x", hexadecimal[] = "0x1fg", large[] = "99999999999999999999", empty[] = "";

int main(void)
{
    char *end = 0;
    char *nothing = 0;
    char local[] = "77";
    int (*absolute)(int) = abs;
    long (*long_absolute)(long) = labs;
    long long (*longest_absolute)(long long) = llabs;
    CHECK(atoi(text));
    CHECK(atoi("-2147483648"));
    CHECK(atol("+077"));
    CHECK(atoll("99999999999"));
    CHECK(atoll("x"));
    UNDEFINED(atoi(nothing));
    CHECK(strtol(text, &end, 10));
    CHECK(end - text);
    CHECK(strtol("+7", 0, 10));
    CHECK(strtoll(hexadecimal, &end, 0));
    CHECK(end - hexadecimal);
    CHECK(strtol("0x", &end, 16));
    CHECK(*end);
    CHECK(strtol("017", 0, 0));
    CHECK(strtol("zz", 0, 36));
    CHECK(strtoul(text, 0, 10));
    CHECK(strtol(large, &end, 10));
    CHECK(errno);
    CHECK(*end);
    CHECK(strtol("-99999999999999999999", 0, 10));
    CHECK(strtoull(large, 0, 10));
    CHECK(strtoul("-99999999999999999999", 0, 10));
    CHECK(strtol(empty, &end, 10));
    CHECK(end - empty);
    CHECK(strtol(local, &end, 10));
    CHECK(__isoc23_strtol("12", 0, 10));
    CHECK(__isoc23_strtoll("12", 0, 10));
    CHECK(__isoc23_strtoul("12", 0, 10));
    CHECK(__isoc23_strtoull("12", 0, 10));
    CHECK(absolute(-3) + long_absolute(4) + longest_absolute(-5));
    UNDEFINED(strtol(nothing, 0, 10));
    UNDEFINED(strtol(nothing, &end, 10));
    END;
}
