// functions: realloc
#include <stdlib.h>

#include "check.h"

int main(void)
{
    char *object = malloc(2);
    object[0] = 5, object[1] = 6;
    UNDEFINED((realloc(object + 1, 4), 0));
    UNDEFINED(realloc(object, 0) != 0);
    object = realloc(object, 4);
    CHECK(10 * object[0] + object[1]);
    object[3] = 8;
    CHECK(object[3]);
    UNDEFINED(object[4]);
    object = realloc(object, 1);
    CHECK(object[0]);
    UNDEFINED(object[1] = 1);
    free(object);
    UNDEFINED((realloc(object, 1), 0));
    END;
}
