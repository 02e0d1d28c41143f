// functions: malloc calloc realloc free aligned_alloc posix_memalign
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
    char *smaller = realloc(object, 2);
    CHECK(smaller != 0);
    UNDEFINED(smaller[2] = 1);
    free(smaller);
    UNDEFINED((free(smaller), 0));
    UNDEFINED(smaller[0]);
    UNDEFINED((realloc(smaller, 1), 0));
    char *larger = malloc(2);
    larger[0] = 5, larger[1] = 6;
    larger = realloc(larger, 12);
    CHECK(10 * larger[0] + larger[1]);
    larger[11] = 8;
    CHECK(larger[11]);
    UNDEFINED(larger[12]);
    free(larger);
    larger = realloc(0, 3);
    CHECK(larger != 0);
    UNDEFINED(larger[3] = 1);
    UNDEFINED(realloc(larger, 0) != 0);
    UNDEFINED((realloc(larger + 1, 4), 0));
    free(larger);
    free(0);

    char *cleared = calloc(2, 3);
    CHECK(zeros(cleared, 6));
    UNDEFINED(cleared[6]);
    UNDEFINED((free(cleared + 1), 0));
    free(cleared);

    volatile size_t many = SIZE_MAX / 2;
    CHECK((errno = 0, calloc(many, 3) == 0));
    CHECK(errno);
    CHECK(calloc(many, 0) != 0);

    char *aligned = aligned_alloc(64, 64);
    CHECK((uintptr_t)aligned % 16);
    free(aligned);
    ONE_OF(aligned_alloc(3, 8) == 0, value == 0 || value == 1);
    void *place = 0;
    CHECK(posix_memalign(&place, 32, 8));
    CHECK((uintptr_t)place % 16);
    free(place);
    place = 0;
    CHECK(posix_memalign(&place, 3, 8));
    CHECK(posix_memalign(&place, 4, 8));
    CHECK(posix_memalign(&place, 24, 8));
    CHECK(place == 0);
    END;
}
