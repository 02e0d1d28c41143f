/* Text that snprintf and its relatives write to memory. A call becomes one of these calls for each part of its format. Each is told how many
   bytes the text has so far, those without room in the buffer among them, and returns how many it has then. */
#include "error_number.h"
#include "model.h"

extern int __mazurka_unknown_int(void);
extern size_t strlen(const char *);
extern size_t strnlen(const char *, size_t);

/* As `normalize` passes them. */
enum { LEFT = 1, PLUS = 2, SPACE = 4, PREFIX = 8, ZEROS = 16, SIGNED = 32, CAPITAL = 64 };

/* The digits of a number of 64 bits to the base 8. */
enum { MOST_DIGITS = 22 };

/* The last byte of the buffer is for the end of the text. */
static size_t put(char *buffer, size_t size, size_t position, char byte)
{
    if (size != 0 && position < size - 1)
        buffer[position] = byte;
    return position + 1;
}

static size_t repeat(char *buffer, size_t size, size_t position, char byte, long count)
{
    for (; count > 0; count--)
        position = put(buffer, size, position, byte);
    return position;
}

/* POSIX lets a larger size be an error, and C libraries differ. */
void __mazurka_require_size(size_t size)
{
    if (size > INT32_MAX)
        __mazurka_unsupported("text for a buffer of more than 2147483647 bytes");
}

/* The length of a text with larger widths and precisions may not fit into the result. */
void __mazurka_require_width(int number)
{
    enum { LARGEST = 1 << 20 };
    if (number > LARGEST || number < -LARGEST)
        __mazurka_unsupported("width or precision of more than 1048576");
}

/* How many bytes of a text are written; a negative precision is none. */
size_t __mazurka_text_length(const char *text, int precision)
{
    return precision < 0 ? strlen(text) : strnlen(text, (size_t)precision);
}

size_t __mazurka_put_text(char *buffer, size_t size, size_t position, const char *text, size_t length)
{
    for (size_t index = 0; index < length; index++)
        position = put(buffer, size, position, text[index]);
    return position;
}

/* A negative width is one with the flag `-`. */
static _Bool is_left(int flags, int width)
{
    return (flags & LEFT) != 0 || width < 0;
}

static long room(int width, long length)
{
    return (width < 0 ? -(long)width : width) - length;
}

size_t __mazurka_put_padded(char *buffer, size_t size, size_t position, const char *text, size_t length, int flags, int width)
{
    long padding = room(width, (long)length);
    if (!is_left(flags, width))
        position = repeat(buffer, size, position, ' ', padding);
    position = __mazurka_put_text(buffer, size, position, text, length);
    if (is_left(flags, width))
        position = repeat(buffer, size, position, ' ', padding);
    return position;
}

size_t __mazurka_put_character(char *buffer, size_t size, size_t position, int byte, int flags, int width)
{
    char text = (char)byte;
    return __mazurka_put_padded(buffer, size, position, &text, 1, flags, width);
}

/* Division costs the checker less where numbers are narrow. */
static unsigned long long divide(unsigned long long value, unsigned base, int bits)
{
    return bits <= 32 ? (unsigned)value / base : value / base;
}

static char digit(unsigned long long number, int flags)
{
    if (number < 10)
        return (char)('0' + number);
    return (char)((flags & CAPITAL ? 'A' : 'a') + (number - 10));
}

size_t __mazurka_put_number(char *buffer, size_t size, size_t position, unsigned long long value, int bits, unsigned base,
                            int flags, int width, int precision)
{
    char digits[MOST_DIGITS];
    char prefix[2];
    int count = 0, prefixes = 0;
    int unused = 64 - bits;
    value <<= unused;
    value = flags & SIGNED ? (unsigned long long)((long long)value >> unused) : value >> unused;
    if ((flags & SIGNED) && (long long)value < 0) {
        prefix[prefixes++] = '-';
        value = -value;
    } else if (flags & SIGNED && flags & (PLUS | SPACE)) {
        prefix[prefixes++] = flags & PLUS ? '+' : ' ';
    } else if (flags & PREFIX && base == 16 && value != 0) {
        prefix[prefixes++] = '0';
        prefix[prefixes++] = flags & CAPITAL ? 'X' : 'x';
    }
    /* Without a precision, 0 has a digit. */
    if (value != 0 || precision != 0) {
        do {
            unsigned long long rest = divide(value, base, bits);
            digits[count++] = digit(value - rest * base, flags);
            value = rest;
        } while (value != 0);
    }
    long zeros = precision > count ? precision - count : 0;
    if (flags & PREFIX && base == 8 && zeros == 0 && (count == 0 || digits[count - 1] != '0'))
        zeros = 1;
    long padding = room(width, prefixes + zeros + count);
    if (!is_left(flags, width) && flags & ZEROS && precision < 0 && padding > 0) {
        zeros += padding;
        padding = 0;
    }
    if (!is_left(flags, width))
        position = repeat(buffer, size, position, ' ', padding);
    position = __mazurka_put_text(buffer, size, position, prefix, (size_t)prefixes);
    position = repeat(buffer, size, position, '0', zeros);
    while (count > 0)
        position = put(buffer, size, position, digits[--count]);
    if (is_left(flags, width))
        position = repeat(buffer, size, position, ' ', padding);
    return position;
}

/* The rest of a text of which nothing is known. There are no branches, since a violation behind a branch on what is unknown does not
   count. What the buffer holds behind the end of the text stays. */
size_t __mazurka_put_unknown(char *buffer, size_t size, size_t position)
{
    size_t length = position + (unsigned)(__mazurka_unknown_int() & (INT32_MAX >> 1));
    if (size != 0 && position >= size)
        buffer[size - 1] = 0;
    for (size_t index = position; index < size; index++) {
        char is_text = (char)-((index < length) & (index != size - 1));
        char is_kept = (char)-(index > length);
        buffer[index] = (char)((__mazurka_unknown_int() & is_text) | (buffer[index] & is_kept));
    }
    return length;
}

/* Ends the text. */
void __mazurka_put_end(char *buffer, size_t size, size_t length)
{
    if (size != 0)
        buffer[length < size ? length : size - 1] = 0;
}

/* A text that is written must not lie where text was written to. Its end is read, too, unless the precision says where to stop. */
void __mazurka_require_unwritten(const char *buffer, size_t size, size_t length, const char *text, size_t read, int precision)
{
    size_t written = size == 0 ? 0 : length < size ? length + 1 : size;
    if (!__mazurka_may_overlap(buffer, text) || __mazurka_object(buffer) != __mazurka_object(text))
        return;
    if (precision < 0 || read < (size_t)precision)
        read++;
    long distance = text - buffer;
    __mazurka_undefined_unless(distance >= (long)written || -distance >= (long)read,
                               "text that is written to memory where it lies");
}
