/* Numbers that are read from text. Where the text is seen to be static, or the caller asks where the number ends, all of it is looked at. Else
   the number is any: of the arguments of a program only the beginning is there. */
#include <limits.h>

#include "error_number.h"
#include "model.h"

enum { NO_DIGIT = 36, HIGHEST_BASE = 36 };

static _Bool is_space(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static unsigned digit_of(char byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    if (byte >= 'a' && byte <= 'z')
        return byte - 'a' + 10;
    if (byte >= 'A' && byte <= 'Z')
        return byte - 'A' + 10;
    return NO_DIGIT;
}

/* Behind a prefix of this letter there must be a digit. */
static _Bool has_prefix(const char *text, char letter, unsigned base)
{
    return text[0] == '0' && (text[1] == letter || text[1] == letter - 'a' + 'A') && digit_of(text[2]) < base;
}

/* Whether the number is out of range is not known either. */
static unsigned long long any(const char *text)
{
    int *error = __errno_location();
    (void)*(const volatile char *)text;
    __mazurka_read_some(text);
    *error ^= (*error ^ OUT_OF_RANGE) & -(int)(__mazurka_unknown_long() & 1);
    return (unsigned long long)__mazurka_unknown_long();
}

struct number {
    /* Negative if there is a sign. */
    unsigned long long value;
    const char *end;
    _Bool has_digits;
    _Bool is_too_large;
};

/* The largest number is that of the type, and one more of negative numbers that have a sign. The prefix 0b is new in C23. */
static struct number parse(const char *text, unsigned base, unsigned long long most, _Bool is_signed, _Bool has_binary)
{
    const char *start = text;
    _Bool is_negative, has_digits = 0, is_too_large = 0;
    unsigned long long number = 0;
    while (is_space(*text))
        text++;
    is_negative = *text == '-';
    if (*text == '-' || *text == '+')
        text++;
    if ((base == 0 || base == 16) && has_prefix(text, 'x', 16)) {
        text += 2;
        base = 16;
    } else if (has_binary && (base == 0 || base == 2) && has_prefix(text, 'b', 2)) {
        text += 2;
        base = 2;
    } else if (base == 0) {
        base = *text == '0' ? 8 : 10;
    }
    if (is_signed)
        most += is_negative;
    for (; digit_of(*text) < base; text++) {
        unsigned long long next;
        has_digits = 1;
        is_too_large |= __builtin_mul_overflow(number, (unsigned long long)base, &next) ||
                        __builtin_add_overflow(next, (unsigned long long)digit_of(*text), &next) || next > most;
        number = next;
    }
    return (struct number){is_too_large ? most : is_negative ? -number : number, has_digits ? text : start, has_digits, is_too_large};
}

static unsigned long long convert(const char *text, char **end, int base, unsigned long long most, _Bool is_signed, _Bool has_binary)
{
    struct number number;
    if (base != 0 && (base < 2 || base > HIGHEST_BASE))
        __mazurka_unsupported("number to a base that does not exist");
    if (!end && !__mazurka_lasts(text))
        return any(text);
    number = parse(text, (unsigned)base, most, is_signed, has_binary);
    if (end)
        *end = (char *)number.end;
    if (number.is_too_large)
        fail(OUT_OF_RANGE);
    /* C libraries may call text without a number invalid. */
    else if (!number.has_digits && __VERIFIER_nondet_bool())
        fail(INVALID);
    return number.value;
}

#define READ(name, type, most, is_signed)                                              \
    type name(const char *restrict text, char **restrict end, int base)                \
    {                                                                                  \
        return (type)convert(text, end, base, most, is_signed, 0);                      \
    }                                                                                  \
                                                                                       \
    type __isoc23_##name(const char *restrict text, char **restrict end, int base)     \
    {                                                                                  \
        return (type)convert(text, end, base, most, is_signed, 1);                      \
    }

READ(strtol, long, LONG_MAX, 1)
READ(strtoll, long long, LLONG_MAX, 1)
READ(strtoul, unsigned long, ULONG_MAX, 0)
READ(strtoull, unsigned long long, ULLONG_MAX, 0)

/* The C standard leaves open what a number that is too large gives. */
static long long convert_decimal(const char *text, unsigned long long most)
{
    struct number number;
    if (!__mazurka_lasts(text))
        return (long long)any(text);
    number = parse(text, 10, most, 1, 0);
    return (long long)(number.is_too_large ? any(text) : number.value);
}

int atoi(const char *text)
{
    return (int)convert_decimal(text, INT_MAX);
}

long atol(const char *text)
{
    return (long)convert_decimal(text, LONG_MAX);
}

long long atoll(const char *text)
{
    return convert_decimal(text, LLONG_MAX);
}

int abs(int number)
{
    return number < 0 ? -number : number;
}

long labs(long number)
{
    return number < 0 ? -number : number;
}

long long llabs(long long number)
{
    return number < 0 ? -number : number;
}
