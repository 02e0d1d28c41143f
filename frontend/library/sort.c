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

/* The order of elements that are equal is any; no violation counts that depends on it. */
void qsort(void *array, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    char *start = array;
    for (size_t sorted = 1; sorted < count; sorted++) {
        for (size_t index = sorted; index > 0; index--) {
            char *element = start + index * size;
            int order = compare(element - size, element);
            if (order < 0 || (order == 0 && __mazurka_unknown_int() == 0))
                break;
            swap(element - size, element, size);
        }
    }
}

/* Which one of elements is found that are equal to the key is not known. */
void *bsearch(const void *key, const void *array, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    const char *element = array;
    const char *found = NULL;
    for (; count > 0; count--, element += size) {
        int order = compare(key, element);
        if (order < 0)
            break;
        if (order == 0 && (!found || __mazurka_unknown_int() == 0))
            found = element;
    }
    return (void *)found;
}
