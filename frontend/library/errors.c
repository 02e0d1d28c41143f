/* The texts of error numbers: any, and no violation counts that depends on one. */
#include "model.h"

extern size_t __mazurka_put_unknown(char *, size_t, size_t);
extern int __mazurka_unknown_int(void);

/* The numbers that Linux gives a text, and room for one. */
enum { LAST_ERROR = 133, ROOM = 64 };

static char text[ROOM];

char *strerror(int error)
{
    (void)error;
    __mazurka_put_unknown(text, ROOM, 0);
    return text;
}

/* POSIX's function, by the name that glibc has for it. Too little room is an error, and what is written then is not known. */
int __xpg_strerror_r(int error, char *place, size_t size)
{
    (void)error;
    __mazurka_put_unknown(place, size, 0);
    return __mazurka_unknown_int();
}

/* glibc's function, which uses the memory that it is given for numbers without a text of their own. */
char *strerror_r(int error, char *place, size_t size)
{
    if (error >= 0 && error <= LAST_ERROR)
        return strerror(error);
    __mazurka_put_unknown(place, size, 0);
    return place;
}
