// functions: atoi strtol
#include <stdlib.h>

#include "check.h"

int main(void)
{
    char text[] = "77";
    UNKNOWN(strtol(text, 0, 10));
    UNKNOWN(errno);
    UNKNOWN(atoi(text));
    END;
}
