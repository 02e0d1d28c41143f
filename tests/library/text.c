// functions: snprintf sprintf vsnprintf vsprintf
#include <stdarg.h>
#include <stdio.h>

#include "check.h"

static char out[16], small[4];
static char letters[] = "abc";
static const char unterminated[3] = {'x', 'y', 'z'};
static int number = -42, count;
static unsigned long large = 0xfedcba98ul;

static unsigned sum(void)
{
    unsigned total = 0;
    for (int i = 0; i < 16; i++)
        total = 31 * total + (unsigned char)out[i];
    return total;
}

/* The format is known where this is called. */
static int print_values(const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = 100 * vsnprintf(out, 5, format, list) + vsprintf(out + 8, format, again);
    va_end(list);
    va_end(again);
    return length;
}

int main(void)
{
    char *nothing = 0;
    CHECK(snprintf(out, sizeof out, "100%% plain"));
    CHECK(sum());
    CHECK(snprintf(out, 5, "longer than that"));
    CHECK(sum());
    CHECK(snprintf(0, 0, "nothing"));
    CHECK(sprintf(out, "%s-%c", letters, 'x'));
    CHECK(sum());
    CHECK(snprintf(out, sizeof out, "%d", number));
    CHECK(sum());
    CHECK(snprintf(out, sizeof out, "%5d|%-5d|", number, number));
    CHECK(sum());
    CHECK(snprintf(out, sizeof out, "%#lx", large));
    CHECK(sum());
    CHECK(snprintf(out, sizeof out, "%hhu %03o", number, 7));
    CHECK(sum());
    CHECK(snprintf(out, sizeof out, "%.*s|%4s|", 2, letters, letters));
    CHECK(sum());
    CHECK(snprintf(out, 3, "%.2s%d", unterminated, 5));
    CHECK(sum());
    CHECK(snprintf(out, sizeof out, "ab%n%s", &count, letters));
    CHECK(count);
    CHECK(print_values("list"));
    CHECK(sum());
    CHECK(print_values("%d%s", -7, letters));
    CHECK(sum());
    CHECK(print_values("%c%*d%.*s", 'x', 3, number, 1, letters));
    CHECK(sum());

    UNDEFINED(sprintf(small, "%s!", letters));
    UNDEFINED(sprintf(small, "%d", 1234));
    UNDEFINED(snprintf(nothing, 1, "x"));
    UNDEFINED(snprintf(out, 16, "%s", nothing));
    UNDEFINED(print_values("%s", nothing));
    UNDEFINED(print_values("%s"));
    UNDEFINED(snprintf(out, 16, "%s", unterminated));
    sprintf(out, "abcd");
    UNDEFINED(sprintf(out, "%s!", out));
    UNDEFINED(sprintf(out + 4, "%s", out));
    CHECK(sprintf(out + 5, "%s", out));
    END;
}
