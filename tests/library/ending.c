// functions: atexit exit _exit _Exit quick_exit abort
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

static void at_end(void)
{
}

int main(void)
{
    CHECK(atexit(at_end));
    NEVER_RETURNS(exit(0));
    NEVER_RETURNS(_exit(0));
    NEVER_RETURNS(_Exit(0));
    NEVER_RETURNS(quick_exit(0));
    NEVER_RETURNS(abort());
    END;
}
