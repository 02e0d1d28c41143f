/* Text from files. What is in them and whether it can be read is not known: it is all input. */
#include <limits.h>

#include "model.h"

extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __mazurka_unknown_int(void);
extern long long __VERIFIER_nondet_longlong(void);

enum { NOTHING = -1 };

int fgetc(void *file)
{
    (void)file;
    return __VERIFIER_nondet_bool() ? NOTHING : __VERIFIER_nondet_uchar();
}

int getc(void *file)
{
    return fgetc(file);
}

int _IO_getc(void *file)
{
    return fgetc(file);
}

int getchar(void)
{
    return fgetc(NULL);
}

/* At the end of the file the memory keeps what it held. Where reading fails it may hold anything. */
char *fgets(char *text, int size, void *file)
{
    (void)file;
    if (size <= 0)
        return NULL;
    if (size > 1 && __VERIFIER_nondet_bool()) {
        if (__VERIFIER_nondet_bool())
            for (int index = 0; index < size; index++)
                text[index] = (char)__mazurka_unknown_int();
        return NULL;
    }
    int length = 0;
    _Bool goes_on = 1;
    while (length < size - 1 && goes_on) {
        char next = __VERIFIER_nondet_char();
        text[length++] = next;
        goes_on = next != '\n' && __VERIFIER_nondet_bool();
    }
    text[length] = 0;
    return text;
}

/* How many of the `most` conversions store something; -1 if the input ends before the first, and instead of less than `least`. */
int __mazurka_scan_input(int most, int least)
{
    int converted = __VERIFIER_nondet_int();
    if (converted < NOTHING || converted > most)
        return most;
    return converted < least ? NOTHING : converted;
}

#define INPUT(width)                                                                  \
    void __mazurka_input_##width(int converted, int position, int##width##_t *target) \
    {                                                                                 \
        if (position < converted)                                                     \
            *target = (int##width##_t)__VERIFIER_nondet_longlong();                   \
    }

INPUT(8)
INPUT(16)
INPUT(32)
INPUT(64)

static _Bool is_space(char character)
{
    return character == ' ' || (character >= '\t' && character <= '\r');
}

/* 1 to `most` bytes that are no space; a zero byte is one, too. */
void __mazurka_input_text(int converted, int position, char *target, int most)
{
    if (position >= converted)
        return;
    int length = 0;
    _Bool goes_on = 1;
    while (length < most && goes_on) {
        char next = __VERIFIER_nondet_char();
        target[length++] = is_space(next) ? 'x' : next;
        goes_on = __VERIFIER_nondet_bool();
    }
    target[length] = 0;
}
