// functions: strerror strerror_r __xpg_strerror_r
#include <string.h>

#include "check.h"

int __xpg_strerror_r(int, char *, size_t);

int main(void)
{
    char place[4];
    char *nothing = 0;
    UNKNOWN(strerror(2)[0]);
    UNKNOWN(strerror_r(2, place, sizeof place)[0]);
    CHECK(strerror_r(99999, place, sizeof place) == place);
    UNKNOWN(place[0]);
    UNKNOWN(__xpg_strerror_r(2, place, sizeof place));
    UNDEFINED(__xpg_strerror_r(2, nothing, 5));
    END;
}
