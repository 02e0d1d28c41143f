/* Signals: none arrives, so no handler runs. What a process inherits is not known: which signals are blocked or ignored. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "error_number.h"
#include "model.h"

enum {
    LAST_SIGNAL = 64,
    /* glibc keeps these for itself. */
    FIRST_RESERVED = 32,
    LAST_RESERVED = 33
};

static _Bool is_signal(int number)
{
    return number >= 1 && number <= LAST_SIGNAL && (number < FIRST_RESERVED || number > LAST_RESERVED);
}

static uint64_t bit(int number)
{
    return (uint64_t)1 << (number - 1);
}

/* The first words have a bit for each signal. What the others hold is the library's own. */
static uint64_t *signals_of(const sigset_t *set)
{
    return (uint64_t *)set->__val;
}

static void set_all(sigset_t *set, uint64_t signals)
{
    REACH_END(set);
    *signals_of(set) = signals;
}

int sigemptyset(sigset_t *set)
{
    set_all(set, 0);
    return 0;
}

int sigfillset(sigset_t *set)
{
    set_all(set, ~(bit(FIRST_RESERVED) | bit(LAST_RESERVED)));
    return 0;
}

int sigaddset(sigset_t *set, int number)
{
    if (!is_signal(number))
        return fail(INVALID);
    *signals_of(set) |= bit(number);
    return 0;
}

int sigdelset(sigset_t *set, int number)
{
    if (!is_signal(number))
        return fail(INVALID);
    *signals_of(set) &= ~bit(number);
    return 0;
}

int sigismember(const sigset_t *set, int number)
{
    if (number < 1 || number > LAST_SIGNAL)
        return fail(INVALID);
    return (*signals_of(set) & bit(number)) != 0;
}

/* Whether the program may have blocked signals. Which ones is not kept. */
static _Bool are_masked;

int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
    if (set) {
        (void)*(const volatile uint64_t *)set->__val;
        if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
            return INVALID;
        are_masked = 1;
    }
    if (old)
        set_all(old, (uint64_t)__mazurka_unknown_long());
    return 0;
}

int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
    int error = pthread_sigmask(how, set, old);
    return error ? fail(error) : 0;
}

/* What was set for a signal, if something was. A process starts with signals that are ignored or have their default. */
static void (*handlers[LAST_SIGNAL + 1])(int);
static _Bool are_set[LAST_SIGNAL + 1];

/* The threads that did, kept up where data races are looked for: who asks what another thread has set is not behind that. */
static unsigned setters[LAST_SIGNAL + 1];

static void (*handler_of(int number))(int)
{
    if (are_set[number]) {
        if (__mazurka_are_races_looked_for() && setters[number] != __mazurka_thread())
            __mazurka_unsupported("an order by what another thread has set for a signal");
        return handlers[number];
    }
    return __VERIFIER_nondet_bool() ? SIG_IGN : SIG_DFL;
}

static void set_handler(int number, void (*handler)(int))
{
    if (number == SIGABRT && handler != SIG_IGN && handler != SIG_DFL)
        __mazurka_unsupported("handler for SIGABRT");
    handlers[number] = handler;
    are_set[number] = 1;
    if (__mazurka_are_races_looked_for())
        setters[number] = __mazurka_thread();
}

static _Bool is_changeable(int number)
{
    return is_signal(number) && number != SIGKILL && number != SIGSTOP;
}

void (*signal(int number, void (*handler)(int)))(int)
{
    if (!is_changeable(number) || handler == SIG_ERR) {
        fail(INVALID);
        return SIG_ERR;
    }
    __VERIFIER_atomic_begin();
    void (*before)(int) = handler_of(number);
    set_handler(number, handler);
    __VERIFIER_atomic_end();
    return before;
}

/* Of what was set before, the handler alone is kept. */
int sigaction(int number, const struct sigaction *restrict action, struct sigaction *restrict old)
{
    void (*next)(int) = SIG_DFL;
    if (action) {
        REQUIRE_END(action);
        next = action->sa_handler;
    }
    if (!is_signal(number) || (action && !is_changeable(number)))
        return fail(INVALID);
    __VERIFIER_atomic_begin();
    void (*before)(int) = handler_of(number);
    if (action)
        set_handler(number, next);
    __VERIFIER_atomic_end();
    if (old) {
        old->sa_handler = before;
        set_all(&old->sa_mask, (uint64_t)__mazurka_unknown_long());
        old->sa_flags = (int)__mazurka_unknown_long();
        old->sa_restorer = (void (*)(void))__mazurka_unknown_long();
    }
    return 0;
}

/* A signal that was blocked or ignored when the process started has no effect. */
int raise(int number)
{
    if (number < 0 || number > LAST_SIGNAL)
        return fail(INVALID);
    if (number == 0)
        return 0;
    if (!is_signal(number))
        __mazurka_unsupported("signal that the C library keeps for itself");
    if (are_masked)
        __mazurka_unsupported("signal that may be blocked");
    if (is_changeable(number)) {
        __VERIFIER_atomic_begin();
        void (*handler)(int) = handler_of(number);
        __VERIFIER_atomic_end();
        if (handler != SIG_IGN && handler != SIG_DFL)
            __mazurka_unsupported("signal with a handler");
        if (handler == SIG_IGN || __VERIFIER_nondet_bool())
            return 0;
    }
    switch (number) {
    case SIGCHLD:
    case SIGCONT:
    case SIGURG:
    case SIGWINCH:
    /* These stop the process until another one lets it go on. */
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
        return 0;
    default:
        abort();
    }
}
