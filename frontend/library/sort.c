/* Sorting and searching by a function of the program. */
#include "model.h"

extern int __mazurka_unknown_int(void);

typedef uintptr_t __attribute__((may_alias, aligned(1))) word;

/* By words first: a word that holds a pointer stays in one piece. */
static void swap(char *one, char *other, size_t size)
{
    for (; size >= sizeof(word); size -= sizeof(word)) {
        word kept = *(word *)one;
        *(word *)one = *(word *)other;
        *(word *)other = kept;
        one += sizeof(word);
        other += sizeof(word);
    }
    for (; size > 0; size--) {
        char kept = *one;
        *one++ = *other;
        *other++ = kept;
    }
}

/* A comparison must not contradict itself. */
static int compared(const char *left, const char *right, int (*compare)(const void *, const void *))
{
    int order = compare(left, right);
    int reverse = compare(right, left);
    __mazurka_undefined_unless(order < 0 ? reverse > 0 : order > 0 ? reverse < 0 : reverse == 0,
                               "a comparison that contradicts itself");
    return order;
}

/* The order of elements that are equal is any; no violation counts that depends on it. */
void qsort(void *array, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    char *start = array;
    for (size_t sorted = 1; sorted < count; sorted++) {
        for (size_t index = sorted; index > 0; index--) {
            char *element = start + index * size;
            int order = compared(element - size, element, compare);
            if (order < 0 || (order == 0 && __mazurka_unknown_int() == 0))
                break;
            swap(element - size, element, size);
        }
    }
    for (size_t left = 0; left < count; left++)
        for (size_t right = left + 2; right < count; right++)
            __mazurka_undefined_unless(compared(start + left * size, start + right * size, compare) <= 0,
                                       "a comparison that is no order");
}

/* Which one of elements is found that are equal to the key is not known. */
void *bsearch(const void *key, const void *array, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    const char *element = array;
    const char *found = NULL;
    int before = 1;
    for (; count > 0; count--, element += size) {
        int order = compare(key, element);
        __mazurka_undefined_unless(before < 0 ? order < 0 : before == 0 ? order <= 0 : 1, "bsearch in what is not sorted");
        before = order;
        if (order == 0 && (!found || __mazurka_unknown_int() == 0))
            found = element;
    }
    return (void *)found;
}
