// functions: calloc
#include <stdint.h>
#include <stdlib.h>

#include "check.h"

int main(void)
{
    volatile size_t many = SIZE_MAX / 2;
    CHECK((errno = 0, calloc(many, 3) == 0));
    CHECK(errno);
    CHECK(calloc(many, 0) != 0);
    END;
}
