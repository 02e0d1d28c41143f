// functions: atoi atol atoll strtol
#include <stdlib.h>

#include "check.h"

int main(void)
{
    char text[] = "77";
    UNKNOWN(strtol(text, 0, 10));
    UNKNOWN(errno);
    UNKNOWN(atoi(text));
    UNKNOWN(atoi("2147483648"));
    UNKNOWN(atol("-99999999999999999999"));
    UNKNOWN(atoll("99999999999999999999"));
    END;
}
