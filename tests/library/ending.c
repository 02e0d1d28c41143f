// functions: exit _exit _Exit quick_exit abort
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

int main(void)
{
    NEVER_RETURNS(exit(0));
    NEVER_RETURNS(_exit(0));
    NEVER_RETURNS(_Exit(0));
    NEVER_RETURNS(quick_exit(0));
    NEVER_RETURNS(abort());
    END;
}
