// functions: qsort bsearch
#include <stdlib.h>

#include "check.h"

static int numbers[] = {3, 1, 2};
static const int ordered[] = {1, 3, 5};
static const int unordered[] = {3, 1, 5};
static const int twice[] = {1, 1};
static short equal[][2] = {{1, 5}, {1, 6}};
static char *pointers[] = {"b", "a"};

static int by_value(const void *one, const void *other)
{
    return *(const int *)one - *(const int *)other;
}

static int by_half(const void *one, const void *other)
{
    return *(const short *)one - *(const short *)other;
}

static int by_letter(const void *one, const void *other)
{
    return **(char *const *)one - **(char *const *)other;
}

static int never_equal(const void *one, const void *other)
{
    return *(const int *)one < *(const int *)other ? -1 : 1;
}

static int repeated[] = {1, 1};

static long find(int key, const int *array, int count)
{
    const int *found = bsearch(&key, array, count, sizeof key, by_value);
    return found ? found - array : -1;
}

int main(void)
{
    qsort(numbers, 3, sizeof numbers[0], by_value);
    CHECK(100 * numbers[0] + 10 * numbers[1] + numbers[2]);
    qsort(pointers, 2, sizeof pointers[0], by_letter);
    CHECK(pointers[0][0]);
    qsort(numbers, 0, sizeof numbers[0], by_value);
    CHECK(find(1, ordered, 3));
    CHECK(find(5, ordered, 3));
    CHECK(find(4, ordered, 3));
    CHECK(find(6, ordered, 3));
    CHECK(find(1, ordered, 0));
    UNKNOWN(find(1, twice, 2));
    UNDEFINED(find(6, ordered, 4));
    UNDEFINED((qsort(numbers, 4, sizeof numbers[0], by_value), 0));
    UNDEFINED((qsort(repeated, 2, sizeof repeated[0], never_equal), 0));
    UNDEFINED(find(3, unordered, 3));
    qsort(equal, 2, sizeof equal[0], by_half);
    UNKNOWN(equal[0][1]);
    END;
}
