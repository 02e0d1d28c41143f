/* Arithmetic of IEEE 754 on the bits of numbers, rounded to nearest, ties to even. What is below the last digit that is kept is
   remembered in one bit, which is set if any of it is. */
#include <stdbool.h>

#include "model.h"

typedef unsigned _BitInt(128) wide;

/* A format: digits behind the point, and what is added to exponents. */
enum { FRACTION = 52, BIAS = 1023, SHORT_FRACTION = 23, SHORT_BIAS = 127, TOP = 63 };

static const uint64_t SIGN = (uint64_t)1 << TOP;
static const uint64_t INFINITE = (uint64_t)(2 * BIAS + 1) << FRACTION;
static const uint64_t QUIET = (uint64_t)1 << (FRACTION - 1);

static bool is_nan(uint64_t number)
{
    return (number & ~SIGN) > INFINITE;
}

static bool is_infinite(uint64_t number)
{
    return (number & ~SIGN) == INFINITE;
}

static bool is_zero(uint64_t number)
{
    return (number & ~SIGN) == 0;
}

/* What an operation on these gives if it is no number: one of them that is none, or another one, of any sign. */
static uint64_t nan_of(uint64_t one, uint64_t other)
{
    enum { IS_NEGATIVE = 1, IS_ONE = 2, IS_OTHER = 4, STAYS = 8 };
    unsigned char chosen = __VERIFIER_nondet_uchar();
    uint64_t result = INFINITE | QUIET;
    if ((chosen & IS_ONE) != 0 && is_nan(one))
        result = one;
    else if ((chosen & IS_OTHER) != 0 && is_nan(other))
        result = other;
    if ((chosen & STAYS) == 0)
        result |= QUIET;
    return (result & ~SIGN) | (chosen & IS_NEGATIVE ? SIGN : 0);
}

/* Of a number other than 0. Its last bit, which makes no difference then, makes the result defined for 0. */
static int leading_zeros(uint64_t number)
{
    return __builtin_clzll(number | 1);
}

/* Shifts to the right by 0 or more bits. */
static uint64_t shifted(uint64_t number, int bits)
{
    if (bits == 0)
        return number;
    if (bits > TOP)
        return number != 0;
    return number >> bits | (number << (TOP + 1 - bits) != 0);
}

/* The digits of a number other than 0, the first of them in the highest bit. */
static uint64_t digits(uint64_t number)
{
    uint64_t fraction = number & (((uint64_t)1 << FRACTION) - 1);
    if (number << 1 >> (FRACTION + 1) == 0)
        return fraction << leading_zeros(fraction);
    return (fraction | (uint64_t)1 << FRACTION) << (TOP - FRACTION);
}

/* The exponent of the first digit of a number other than 0. */
static int exponent(uint64_t number)
{
    int biased = (int)(number << 1 >> (FRACTION + 1));
    uint64_t fraction = number & (((uint64_t)1 << FRACTION) - 1);
    if (biased == 0)
        return 1 - BIAS + (TOP - FRACTION) - leading_zeros(fraction);
    return biased - BIAS;
}

/* The bits of a number of so many digits behind the point, without its sign, from its digits. */
static uint64_t rounded(int power, uint64_t number, int fraction, int bias)
{
    int dropped = TOP - fraction;
    int biased = power + bias;
    if (biased > 2 * bias)
        return (uint64_t)(2 * bias + 1) << fraction;
    if (biased <= 0)
        number = shifted(number, 1 - biased);
    uint64_t rest = number & (((uint64_t)1 << dropped) - 1);
    uint64_t half = (uint64_t)1 << (dropped - 1);
    uint64_t kept = number >> dropped;
    kept += rest > half || (rest == half && (kept & 1) != 0);
    /* The first digit counts as one of the exponent, and so does a carry. */
    return (biased > 0 ? (uint64_t)(biased - 1) << fraction : 0) + kept;
}

static uint64_t number_of(uint64_t sign, int power, uint64_t number)
{
    return sign | rounded(power, number, FRACTION, BIAS);
}

uint64_t __mazurka_add_numbers(uint64_t one, uint64_t other)
{
    if (is_nan(one) || is_nan(other))
        return nan_of(one, other);
    if (is_infinite(one))
        return is_infinite(other) && one != other ? nan_of(one, other) : one;
    if (is_infinite(other))
        return other;
    if (is_zero(one))
        return is_zero(other) ? one & other : other;
    if (is_zero(other))
        return one;
    bool is_less = (one & ~SIGN) < (other & ~SIGN);
    uint64_t large = is_less ? other : one, small = is_less ? one : other;
    int power = exponent(large);
    uint64_t first = digits(large) >> 1;
    uint64_t second = shifted(digits(small) >> 1, power - exponent(small));
    uint64_t sum = ((one ^ other) & SIGN) != 0 ? first - second : first + second;
    if (sum == 0)
        return 0;
    int zeros = leading_zeros(sum);
    return number_of(large & SIGN, power + 1 - zeros, sum << zeros);
}

uint64_t __mazurka_multiply_numbers(uint64_t one, uint64_t other)
{
    uint64_t sign = (one ^ other) & SIGN;
    if (is_nan(one) || is_nan(other))
        return nan_of(one, other);
    if (is_infinite(one) || is_infinite(other))
        return is_zero(one) || is_zero(other) ? nan_of(one, other) : sign | INFINITE;
    if (is_zero(one) || is_zero(other))
        return sign;
    wide product = (wide)digits(one) * digits(other);
    int zeros = leading_zeros((uint64_t)(product >> (TOP + 1)));
    product <<= zeros;
    uint64_t high = (uint64_t)(product >> (TOP + 1)) | ((uint64_t)product != 0);
    return number_of(sign, exponent(one) + exponent(other) + 1 - zeros, high);
}

uint64_t __mazurka_divide_numbers(uint64_t one, uint64_t other)
{
    uint64_t sign = (one ^ other) & SIGN;
    if (is_nan(one) || is_nan(other))
        return nan_of(one, other);
    if (is_infinite(one))
        return is_infinite(other) ? nan_of(one, other) : sign | INFINITE;
    if (is_infinite(other))
        return sign;
    if (is_zero(other))
        return is_zero(one) ? nan_of(one, other) : sign | INFINITE;
    if (is_zero(one))
        return sign;
    wide dividend = (wide)digits(one) << TOP;
    uint64_t divisor = digits(other);
    uint64_t quotient = (uint64_t)(dividend / divisor);
    uint64_t rest = dividend % divisor != 0;
    int zeros = leading_zeros(quotient);
    return number_of(sign, exponent(one) - exponent(other) - zeros, quotient << zeros | rest);
}

/* One bit says how they compare: less, equal, greater, not at all. */
unsigned __mazurka_compare_numbers(uint64_t one, uint64_t other)
{
    enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };
    if (is_nan(one) || is_nan(other))
        return UNORDERED;
    if (one == other || (is_zero(one) && is_zero(other)))
        return EQUAL;
    bool is_negative = (one & SIGN) != 0;
    if (((one ^ other) & SIGN) != 0)
        return is_negative ? LESS : GREATER;
    return (one < other) != is_negative ? LESS : GREATER;
}

uint64_t __mazurka_long_number_of(_Bool is_negative, uint64_t magnitude)
{
    if (magnitude == 0)
        return 0;
    int zeros = leading_zeros(magnitude);
    return number_of(is_negative ? SIGN : 0, TOP - zeros, magnitude << zeros);
}

/* The integer part, modulo 2^64. */
uint64_t __mazurka_integer_of(uint64_t number)
{
    if (is_zero(number))
        return 0;
    int power = exponent(number);
    if (power < 0 || power > TOP)
        return 0;
    uint64_t magnitude = digits(number) >> (TOP - power);
    return (number & SIGN) != 0 ? -magnitude : magnitude;
}

/* A number that is about to be converted to another format, or was. */
uint64_t __mazurka_converted_number(uint64_t number)
{
    return is_nan(number) ? nan_of(number, number) : number;
}

/* The number of 32 bits next to one of 64 bits. */
uint32_t __mazurka_short_number(uint64_t number)
{
    enum { SHORT_INFINITE = (2 * SHORT_BIAS + 1) << SHORT_FRACTION };
    uint32_t sign = (uint32_t)(number >> (TOP - 31)) & (uint32_t)1 << 31;
    if (is_nan(number)) {
        uint32_t kept = (uint32_t)(number >> (FRACTION - SHORT_FRACTION)) & (((uint32_t)1 << SHORT_FRACTION) - 1);
        return sign | SHORT_INFINITE | (kept != 0 ? kept : (uint32_t)1 << (SHORT_FRACTION - 1));
    }
    if (is_infinite(number))
        return sign | SHORT_INFINITE;
    if (is_zero(number))
        return sign;
    return sign | (uint32_t)rounded(exponent(number), digits(number), SHORT_FRACTION, SHORT_BIAS);
}

uint32_t __mazurka_short_number_of(_Bool is_negative, uint64_t magnitude)
{
    if (magnitude == 0)
        return 0;
    int zeros = leading_zeros(magnitude);
    uint32_t sign = (uint32_t)is_negative << 31;
    return sign | (uint32_t)rounded(TOP - zeros, magnitude << zeros, SHORT_FRACTION, SHORT_BIAS);
}

/* The same number in 64 bits. */
uint64_t __mazurka_long_number(uint32_t number)
{
    uint64_t sign = (uint64_t)(number >> 31) << TOP;
    uint32_t biased = number << 1 >> (SHORT_FRACTION + 1);
    uint64_t fraction = number & (((uint32_t)1 << SHORT_FRACTION) - 1);
    if (biased == 2 * SHORT_BIAS + 1)
        return sign | INFINITE | fraction << (FRACTION - SHORT_FRACTION);
    if (biased != 0)
        return sign | (uint64_t)(biased + BIAS - SHORT_BIAS) << FRACTION | fraction << (FRACTION - SHORT_FRACTION);
    if (fraction == 0)
        return sign;
    int zeros = leading_zeros(fraction);
    return number_of(sign, TOP - zeros + 1 - SHORT_BIAS - SHORT_FRACTION, fraction << zeros);
}
