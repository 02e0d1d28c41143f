/* What the models are written in. Their state lives in the object's own memory, and zero bytes mean what glibc's static
   initialisers mean. Results are glibc's error numbers on Linux. */
#ifndef MODEL_H
#define MODEL_H

#include <stddef.h>
#include <stdint.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __mazurka_undefined_unless(_Bool, const char *);
extern void __mazurka_wait(void);
extern void __mazurka_unsupported(const char *);

/* The program has no defined meaning where the condition does not hold; a string literal may say what it did then. */
#define __mazurka_undefined_unless(condition, ...) __mazurka_undefined_unless(condition, "" __VA_ARGS__)

/* Goes on when the condition holds. For the checker a thread that finds it false stops there for good, since it could as well
   have waited before; a native run lets others run, inside of an atomic region, too, and looks again. */
#define WAIT_UNTIL(condition) \
    while (!(condition))      \
    __mazurka_wait()

enum { NOT_PERMITTED = 1, TRY_AGAIN = 11, OUT_OF_MEMORY = 12, BUSY = 16, INVALID = 22, DEADLOCK = 35, TOO_LARGE = 75, TIMED_OUT = 110 };

#endif
