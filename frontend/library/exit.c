/* Functions that run when the process ends by `exit` or by a return of `main`. */
#include "model.h"

/* How many functions a program may register. */
enum { HANDLERS = 32 };

static void (*handlers[HANDLERS])(void);
static unsigned registered;

/* The threads that registered them, kept up where data races are looked for: what another thread runs at the end is not behind that. */
static unsigned registrants[HANDLERS];

static _Bool is_ending;

int atexit(void (*handler)(void));
int atexit(void (*handler)(void))
{
    _Bool is_room;
    __VERIFIER_atomic_begin();
    is_room = registered < HANDLERS;
    if (is_room) {
        if (__mazurka_are_races_looked_for())
            registrants[registered] = __mazurka_thread();
        handlers[registered++] = handler;
    }
    __VERIFIER_atomic_end();
    if (!is_room)
        __mazurka_unsupported("more than 32 functions for the end of the process");
    return 0;
}

/* The functions that were registered last run first, also those that are registered meanwhile. */
void __mazurka_run_exit_handlers(void)
{
    for (;;) {
        void (*handler)(void) = NULL;
        __VERIFIER_atomic_begin();
        _Bool is_left = registered > 0;
        if (is_left)
            handler = handlers[--registered];
        _Bool is_own = !__mazurka_are_races_looked_for() || !is_left || registrants[registered] == __mazurka_thread();
        __VERIFIER_atomic_end();
        if (!is_left)
            return;
        if (!is_own)
            __mazurka_unsupported("an order by what another thread has registered for the end of the process");
        handler();
    }
}

/* The process is about to end. Other threads go on. */
void __mazurka_begin_exit(void)
{
    __mazurka_require_no_region("what the end of a thread runs, inside of an atomic region", 0);
    _Bool was_ending;
    __VERIFIER_atomic_begin();
    was_ending = is_ending;
    is_ending = 1;
    __VERIFIER_atomic_end();
    __mazurka_undefined_unless(!was_ending, "end of the process for the second time");
}
