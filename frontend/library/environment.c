/* Variables of the environment: whether one is there, and its text, are inputs. What a second call gives may be what an earlier one gave, so no
   violation counts that depends on it. */
#include "model.h"

extern char __VERIFIER_nondet_char(void);
extern int __mazurka_unknown_int(void);
extern size_t strlen(const char *);

/* So many texts, and so many bytes of each, can be looked at. What lies behind these is another limit: a text may be longer. */
enum { TEXTS = 4, LENGTH = 16 };

char __mazurka_environment_0[LENGTH], __mazurka_environment_1[LENGTH], __mazurka_environment_2[LENGTH],
    __mazurka_environment_3[LENGTH];

static char *const texts[TEXTS] = {__mazurka_environment_0, __mazurka_environment_1, __mazurka_environment_2,
                                   __mazurka_environment_3};
static int given; /* texts that were given already */
static _Bool was_called;

/* The number of a text, up to that of a new one; negative if the variable is not there. */
static int choose(void)
{
    if (!was_called)
        return __VERIFIER_nondet_bool() ? 0 : -1;
    int chosen = __mazurka_unknown_int();
    return chosen > given ? -1 : chosen;
}

char *getenv(const char *name)
{
    int chosen;
    strlen(name);
    __VERIFIER_atomic_begin();
    chosen = choose();
    was_called = 1;
    if (chosen == given && chosen < TEXTS) {
        for (int index = 0; index < LENGTH; index++)
            texts[chosen][index] = __VERIFIER_nondet_char();
        given++;
    }
    __VERIFIER_atomic_end();
    if (chosen >= TEXTS)
        __mazurka_unsupported("more than 4 variables of the environment");
    return chosen < 0 ? NULL : texts[chosen];
}
