// functions: snprintf
#include <stdio.h>

#include "check.h"

static char out[6];

int main(void)
{
    CHECK(snprintf(out, 4, "<%c>", 0));
    UNKNOWN(snprintf(out, 3, "%p", (void *)out));
    CHECK(out[3]);
    UNKNOWN(out[0]);
    UNKNOWN(snprintf(out, 3, "<%f", 1.5));
    CHECK(out[0]);
    END;
}
