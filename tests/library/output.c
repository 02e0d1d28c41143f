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

/* The values of a list cannot be read where the function is called, so there are none. */
static int print_list(va_list list)
{
    return vprintf("list\n", list) + vfprintf(stdout, "list\n", list);
}

int main(void)
{
    char *nothing = 0;
    va_list list;
    setbuf(stdout, 0);
    UNKNOWN(printf("%s %d%c%%\n", letters, 12, 'x'));
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
    UNKNOWN(print_list(list));
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
    dprintf(1, "%d%n", 1234, &count);
    UNKNOWN(count);

    UNDEFINED(printf("%s", nothing));
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
