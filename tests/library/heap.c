// functions: malloc calloc free aligned_alloc posix_memalign
#include <stdint.h>
#include <stdlib.h>

#include "check.h"

static int zeros(const char *bytes, int size)
{
    int count = 0;
    for (int i = 0; i < size; i++)
        count += bytes[i] == 0;
    return count;
}

int main(void)
{
    char *object = malloc(4);
    object[3] = 7;
    CHECK(object != 0);
    CHECK(object[3]);
    UNDEFINED(object[4] = 1);
    free(object);
    UNDEFINED((free(object), 0));
    UNDEFINED(object[0]);
    free(0);

    char *cleared = calloc(2, 3);
    CHECK(zeros(cleared, 6));
    UNDEFINED(cleared[6]);
    UNDEFINED((free(cleared + 1), 0));
    free(cleared);

    char *aligned = aligned_alloc(64, 64);
    CHECK((uintptr_t)aligned % (2 * sizeof(void *)));
    free(aligned);
    ONE_OF(aligned_alloc(3, 8) == 0, value == 0 || value == 1);
    void *place = 0;
    CHECK(posix_memalign(&place, 32, 8));
    CHECK((uintptr_t)place % (2 * sizeof(void *)));
    free(place);
    place = 0;
    CHECK(posix_memalign(&place, 3, 8));
    CHECK(posix_memalign(&place, sizeof(void *) / 2, 8));
    CHECK(posix_memalign(&place, 24, 8));
    CHECK(place == 0);
    END;
}
