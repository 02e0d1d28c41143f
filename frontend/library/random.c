/* Random numbers: any that the functions may give. */
#include "model.h"

extern unsigned __VERIFIER_nondet_uint(void);

/* From 0 to RAND_MAX, which is INT_MAX for glibc. */
static int any(void)
{
    int number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number >= 0);
    return number;
}

/* How often the generator was given a seed, up to twice: then numbers may have to come again, and they are only known to be
   some. Numbers before the first seed are those of seed 1. */
static int seeds;

void srand(unsigned seed)
{
    (void)seed;
    __VERIFIER_atomic_begin();
    seeds = seeds == 0 ? 1 : 2;
    __VERIFIER_atomic_end();
}

void srandom(unsigned seed)
{
    srand(seed);
}

/* The same, of numbers that may have to come again. */
static int some(void)
{
    return (int)(__mazurka_unknown_long() & INT32_MAX);
}

int rand(void)
{
    _Bool again;
    if (!__mazurka_is_used("srand") && !__mazurka_is_used("srandom"))
        return any();
    __VERIFIER_atomic_begin();
    if (seeds == 0)
        seeds = 1;
    again = seeds == 2;
    __VERIFIER_atomic_end();
    return again ? some() : any();
}

/* The same seed gives the same number and the same next seed. Certainly new is a seed that is greater than all before it: the
   first one of all calls, and then those that the same thread was given, as long as they increase. All others may come again. */
int rand_r(unsigned *seed)
{
    static unsigned thread; /* that made the first call; 0 before it */
    static unsigned next;   /* the seed that the thread was given; 0 if it did not increase */
    unsigned self = __mazurka_thread();
    _Bool is_new;
    unsigned given;
    __VERIFIER_atomic_begin();
    is_new = thread == 0 || (thread == self && next != 0 && *seed == next);
    if (is_new) {
        given = __VERIFIER_nondet_uint();
        thread = self;
        next = given > *seed ? given : 0;
    } else {
        given = (unsigned)__mazurka_unknown_long();
    }
    __VERIFIER_atomic_end();
    *seed = given;
    return is_new ? any() : some();
}

long random(void)
{
    return rand();
}

long lrand48(void)
{
    return any();
}
