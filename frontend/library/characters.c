/* Kinds of characters in the C locale, the only one: `setlocale` is not modelled. Arguments are EOF and what an unsigned char holds; of others C
   says nothing. */
#include "model.h"

/* The bits of glibc's table, which its macros look at. */
enum {
    BLANK = 1 << 0,
    CONTROL = 1 << 1,
    PUNCTUATION = 1 << 2,
    LETTER_OR_DIGIT = 1 << 3,
    UPPER = 1 << 8,
    LOWER = 1 << 9,
    LETTER = 1 << 10,
    DIGIT = 1 << 11,
    HEXADECIMAL = 1 << 12,
    SPACE = 1 << 13,
    PRINTED = 1 << 14,
    GRAPHIC = 1 << 15
};

/* EOF comes first. */
enum { FIRST = 1, SIZE = 257 };

enum {
    VISIBLE = PRINTED | GRAPHIC,
    LARGE = VISIBLE | LETTER_OR_DIGIT | UPPER | LETTER,
    SMALL = VISIBLE | LETTER_OR_DIGIT | LOWER | LETTER
};

static const unsigned short kinds[SIZE] = {
    [FIRST + 0 ... FIRST + 8] = CONTROL,
    [FIRST + '\t'] = CONTROL | SPACE | BLANK,
    [FIRST + '\n' ... FIRST + '\r'] = CONTROL | SPACE,
    [FIRST + 14 ... FIRST + 31] = CONTROL,
    [FIRST + ' '] = PRINTED | SPACE | BLANK,
    [FIRST + '!' ... FIRST + '/'] = VISIBLE | PUNCTUATION,
    [FIRST + '0' ... FIRST + '9'] = VISIBLE | LETTER_OR_DIGIT | DIGIT | HEXADECIMAL,
    [FIRST + ':' ... FIRST + '@'] = VISIBLE | PUNCTUATION,
    [FIRST + 'A' ... FIRST + 'F'] = LARGE | HEXADECIMAL,
    [FIRST + 'G' ... FIRST + 'Z'] = LARGE,
    [FIRST + '[' ... FIRST + '`'] = VISIBLE | PUNCTUATION,
    [FIRST + 'a' ... FIRST + 'f'] = SMALL | HEXADECIMAL,
    [FIRST + 'g' ... FIRST + 'z'] = SMALL,
    [FIRST + '{' ... FIRST + '~'] = VISIBLE | PUNCTUATION,
    [FIRST + 127] = CONTROL,
};

#define TO_LOWER(byte) ((byte) >= 'A' && (byte) <= 'Z' ? (byte) - 'A' + 'a' : (byte))
#define TO_UPPER(byte) ((byte) >= 'a' && (byte) <= 'z' ? (byte) - 'a' + 'A' : (byte))
#define FOUR(change, byte) change(byte), change((byte) + 1), change((byte) + 2), change((byte) + 3)
#define SIXTEEN(change, byte) \
    FOUR(change, byte), FOUR(change, (byte) + 4), FOUR(change, (byte) + 8), FOUR(change, (byte) + 12)
#define ALL(change)                                                                                        \
    {                                                                                                      \
        -1, SIXTEEN(change, 0), SIXTEEN(change, 16), SIXTEEN(change, 32), SIXTEEN(change, 48),             \
            SIXTEEN(change, 64), SIXTEEN(change, 80), SIXTEEN(change, 96), SIXTEEN(change, 112),           \
            SIXTEEN(change, 128), SIXTEEN(change, 144), SIXTEEN(change, 160), SIXTEEN(change, 176),        \
            SIXTEEN(change, 192), SIXTEEN(change, 208), SIXTEEN(change, 224), SIXTEEN(change, 240)         \
    }

static const int lowers[SIZE] = ALL(TO_LOWER);
static const int uppers[SIZE] = ALL(TO_UPPER);

/* Where the macros find the element for 0. */
static const unsigned short *const kinds_from_zero = kinds + FIRST;
static const int *const lowers_from_zero = lowers + FIRST;
static const int *const uppers_from_zero = uppers + FIRST;

const unsigned short **__ctype_b_loc(void)
{
    return (const unsigned short **)&kinds_from_zero;
}

const int **__ctype_tolower_loc(void)
{
    return (const int **)&lowers_from_zero;
}

const int **__ctype_toupper_loc(void)
{
    return (const int **)&uppers_from_zero;
}

static void require_character(int character)
{
    __mazurka_undefined_unless(character >= -1 && character <= 255, "a character that is neither EOF nor an unsigned char");
}

static _Bool is_between(int character, char first, char last)
{
    return character >= first && character <= last;
}

static _Bool is_upper(int character)
{
    return is_between(character, 'A', 'Z');
}

static _Bool is_lower(int character)
{
    return is_between(character, 'a', 'z');
}

static _Bool is_digit(int character)
{
    return is_between(character, '0', '9');
}

static _Bool is_letter(int character)
{
    return is_upper(character) || is_lower(character);
}

static _Bool is_graphic(int character)
{
    return is_between(character, '!', '~');
}

/* What is not 0 is the same as in glibc's table. */
#define IS(name, condition, bit)          \
    int name(int character)               \
    {                                     \
        require_character(character);     \
        return (condition) ? (bit) : 0;   \
    }

IS(isalpha, is_letter(character), LETTER)
IS(isdigit, is_digit(character), DIGIT)
IS(isalnum, is_letter(character) || is_digit(character), LETTER_OR_DIGIT)
IS(isupper, is_upper(character), UPPER)
IS(islower, is_lower(character), LOWER)
IS(isspace, character == ' ' || is_between(character, '\t', '\r'), SPACE)
IS(isblank, character == ' ' || character == '\t', BLANK)
IS(isprint, is_between(character, ' ', '~'), PRINTED)
IS(isgraph, is_graphic(character), GRAPHIC)
IS(iscntrl, is_between(character, 0, 31) || character == 127, CONTROL)
IS(ispunct, is_graphic(character) && !is_letter(character) && !is_digit(character), PUNCTUATION)
IS(isxdigit, is_digit(character) || is_between(character, 'a', 'f') || is_between(character, 'A', 'F'), HEXADECIMAL)

int tolower(int character)
{
    require_character(character);
    return TO_LOWER(character);
}

int toupper(int character)
{
    require_character(character);
    return TO_UPPER(character);
}

int isascii(int character)
{
    return (character & ~127) == 0;
}

int toascii(int character)
{
    return character & 127;
}
