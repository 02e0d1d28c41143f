/* How functions fail that report by errno. */
#ifndef ERROR_NUMBER_H
#define ERROR_NUMBER_H

extern int *__errno_location(void);
extern int __mazurka_unknown_int(void);
extern unsigned char __mazurka_unknown_char(void);

static inline int fail(int error)
{
    *__errno_location() = error;
    return -1;
}

/* The number of an error that is not known. */
static inline int some_error(void)
{
    return 1 + __mazurka_unknown_char();
}

/* Whether the call succeeds, and with which result, is not known. */
static inline int succeed_or_fail(void)
{
    *__errno_location() = __mazurka_unknown_int();
    return __mazurka_unknown_int();
}

#endif
