/* How functions fail that report by errno. */
#ifndef ERROR_NUMBER_H
#define ERROR_NUMBER_H

extern int *__errno_location(void);

static inline int fail(int error)
{
    *__errno_location() = error;
    return -1;
}

#endif
