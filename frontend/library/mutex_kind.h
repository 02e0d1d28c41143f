/* What the word holds that says which kind a mutex is, and its attributes, 1 more. */
#ifndef MUTEX_KIND_H
#define MUTEX_KIND_H

enum {
    RECURSIVE = 1,
    ERROR_CHECK = 2,
    LAST_KIND = 3,
    KIND_MASK = 0x7f,
    /* `mtx_init` has made it, and allows limits of waiting. */
    MADE_BY_C11 = 0x100,
    TAKES_LIMITS = 0x200,
    /* Attributes that the mutex does not keep: what other processes and the priorities of threads do is not looked at. */
    SHARED = 0x400,
    INHERITS_PRIORITY = 0x800
};

#endif
