// functions: printf fprintf dprintf vprintf vfprintf puts putchar putc fputc fputs fputs_unlocked fwrite fflush perror setbuf
// functions: _IO_putc
#include <stdarg.h>
#include <stdio.h>

#include "check.h"

int _IO_putc(int, FILE *);

static char letters[] = "ab";
static const char unterminated[3] = {'a', 'b', 'c'};
static int count;
static signed char narrow[2] = {0, 9};
static short half;
static long wide;

static int print_list(const char *format, va_list list)
{
    return vfprintf(stdout, format, list);
}

/* The format is known where this is called. */
static int print_values(const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vprintf("no values\n", list) + print_list(format, again);
    va_end(list);
    va_end(again);
    return length;
}

int main(void)
{
    char *nothing = 0;
    setbuf(stdout, 0);
    UNKNOWN(printf("%s %d%c%%\n", letters, 12, 'x'));
    UNKNOWN(printf(""));
    UNKNOWN(fprintf(stdout, "%5.2f|%p|%.*s|%.1s\n", 1.5, (void *)0, 1, letters, letters));
    UNKNOWN(dprintf(1, "%ld\n", 5l));
    UNKNOWN(printf("%.3s\n", unterminated));
    UNKNOWN(puts(letters));
    UNKNOWN(putchar('a'));
    UNKNOWN(putc('a', stdout));
    UNKNOWN(_IO_putc('a', stdout));
    UNKNOWN(fputc('a', stdout));
    UNKNOWN(fputs(letters, stdout) >= 0);
    UNKNOWN(fputs_unlocked(letters, stdout) >= 0);
    UNKNOWN(fwrite(letters, 1, 2, stdout));
    UNKNOWN(fwrite(letters, 3, 1, stdout));
    UNKNOWN(fwrite(0, 0, 0, stdout));
    UNKNOWN(fflush(stdout));
    UNKNOWN(fflush(0));
    UNKNOWN(print_values("none\n"));
    UNKNOWN(print_values("%s %d %ld %*.*f %p%%\n", letters, 12, 5l, 9, 2, 1.5, (void *)0));
    UNKNOWN(print_values("%.3s\n", unterminated));
    perror(letters);
    perror(0);
    CHECK(letters[0] + letters[1]);

    printf("abc%n", &count);
    CHECK(count);
    fprintf(stdout, "%%%hhn\n%hn%ln", &narrow[0], &half, &wide);
    CHECK(narrow[0]);
    CHECK(narrow[1]);
    CHECK(half);
    CHECK(wide);
    print_values("abcdef%n%d", &count, 1);
    CHECK(count);
    dprintf(1, "%d%n", 1234, &count);
    UNKNOWN(count);

    UNDEFINED(printf("%s", nothing));
    UNDEFINED(print_values("%d%s", 1, nothing));
    UNDEFINED(print_values("%s", unterminated));
    UNDEFINED(print_values("%s"));
    UNDEFINED(puts(nothing));
    UNDEFINED(fputs(nothing, stdout));
    UNDEFINED(fwrite(nothing, 1, 1, stdout));
    UNDEFINED(fwrite(letters, 2, 2, stdout));
    UNDEFINED(printf("%s", unterminated));
    UNDEFINED(puts(unterminated));
    UNDEFINED(fputs(unterminated, stdout));
    UNDEFINED(perror(unterminated));
    UNDEFINED(printf("%n", (int *)nothing));
    END;
}
