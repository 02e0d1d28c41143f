/* Sets of threads: the bit of a thread is that of its number. */
#include "model.h"

/* The greatest number of a thread in a set. */
enum { GREATEST = 31 };

/* The set of one thread. */
unsigned __mazurka_set_of(unsigned number)
{
    __mazurka_undefined_unless(number <= GREATEST, "a set of more than 31 threads");
    return 1u << (number & GREATEST);
}

/* What of a set is in the half or what is not, if there are both. */
static unsigned halve(unsigned set, unsigned half)
{
    unsigned in = set & half;
    unsigned out = set & ~half;
    if (in == 0 || out == 0)
        return set;
    return __mazurka_choose() ? in : out;
}

/* Any one thread of a set, as a set; the empty set has none. */
unsigned __mazurka_one_of(unsigned set)
{
    set = halve(set, 0xffff0000);
    set = halve(set, 0xff00ff00);
    set = halve(set, 0xf0f0f0f0);
    set = halve(set, 0xcccccccc);
    return halve(set, 0xaaaaaaaa);
}
