/* Reading numbers from text. Of the text only the first byte must be there, so the numbers are arbitrary: a proof holds for
   all of them, and a violation that depends on one does not count. */
#include "model.h"

extern int __mazurka_unknown_int(void);

/* How many of the `most` numbers that a format asks for are read; -1 if the text ends before the first. */
int __mazurka_scan(const char *text, int most)
{
    (void)*(const volatile char *)text;
    __mazurka_read_some(text);
    int converted = __mazurka_unknown_int();
    return converted < -1 || converted > most ? most : converted;
}

#define SCAN(width)                                                                     \
    void __mazurka_scan_##width(int converted, int position, int##width##_t *target) \
    {                                                                                   \
        if (position < converted)                                                       \
            *target = (int##width##_t)__mazurka_unknown_long();                         \
    }

SCAN(8)
SCAN(16)
SCAN(32)
SCAN(64)

/* A text of 1 to `most` bytes and its end; what is behind that keeps what it held. There are no branches on what is unknown. */
void __mazurka_scan_text(int converted, int position, char *target, int most)
{
    if (position >= converted)
        return;
    unsigned end = 1 + (unsigned)__mazurka_unknown_int() % (unsigned)most;
    for (int index = 0; index <= most; index++) {
        int kept = target[index];
        int written = __mazurka_unknown_int() & -((unsigned)index != end);
        target[index] = (char)(kept ^ ((kept ^ written) & -((unsigned)index <= end)));
    }
}
