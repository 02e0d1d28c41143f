/* Random numbers and the time: any that the functions may give, stored where the caller wants them. */
#include "model.h"

extern long __VERIFIER_nondet_long(void);
extern unsigned __VERIFIER_nondet_uint(void);

/* From 0 to RAND_MAX, which is INT_MAX for glibc. */
static int any(void)
{
    int number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number >= 0);
    return number;
}

/* How often the generator was given a seed, up to twice: then numbers may have to come again, and they are only known to be
   some. */
static _Atomic int seeds;

void srand(unsigned seed)
{
    (void)seed;
    seeds = seeds == 0 ? 1 : 2;
}

void srandom(unsigned seed)
{
    srand(seed);
}

int rand(void)
{
    _Bool again = (__mazurka_is_used("srand") || __mazurka_is_used("srandom")) && seeds == 2;
    return again ? (int)(__mazurka_unknown_long() & INT32_MAX) : any();
}

int rand_r(unsigned *seed)
{
    *seed = __VERIFIER_nondet_uint();
    return any();
}

long random(void)
{
    return rand();
}

long lrand48(void)
{
    return any();
}

/* Any positive number, chosen at the first call and kept. */
int getpid(void)
{
    static int process;
    int number;
    __VERIFIER_atomic_begin();
    if (process == 0) {
        process = __VERIFIER_nondet_int();
        __VERIFIER_assume(process > 0);
    }
    number = process;
    __VERIFIER_atomic_end();
    return number;
}

long time(long *place)
{
    long now = __VERIFIER_nondet_long();
    if (place)
        *place = now;
    return now;
}
