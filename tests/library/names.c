// functions: pthread_setname_np pthread_getname_np prctl
#include <sys/prctl.h>

#include "check.h"

int main(void)
{
    char place[16];
    char *nothing = 0;
    UNDEFINED(pthread_setname_np(pthread_self(), nothing));
    UNDEFINED(pthread_getname_np(pthread_self(), nothing, 16));
    UNKNOWN(pthread_setname_np(pthread_self(), "short"));
    CHECK(pthread_setname_np(pthread_self(), "0123456789abcdef"));
    UNKNOWN(prctl(PR_SET_NAME, "short"));
    CHECK(pthread_getname_np(pthread_self(), place, 15));
    UNKNOWN(pthread_getname_np(pthread_self(), place, sizeof place));
    UNKNOWN(place[0]);
    END;
}
