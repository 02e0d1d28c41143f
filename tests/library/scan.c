// functions: sscanf __isoc99_sscanf __isoc23_sscanf
#include <stdio.h>
#include <stdlib.h>

#include "check.h"

int __isoc99_sscanf(const char *, const char *, ...);

/* A C library of 2023 has it, and others may not. */
#ifdef NATIVE
#define __isoc23_sscanf sscanf
#else
int __isoc23_sscanf(const char *, const char *, ...);
#endif

int main(void)
{
    int number = 0;
    long other = 0;
    char *nothing = 0;
    UNKNOWN(sscanf("12 34", "%d %ld", &number, &other));
    UNKNOWN(number);
    UNKNOWN(other);
    UNKNOWN(__isoc99_sscanf("12", "%d", &number));
    UNKNOWN(__isoc23_sscanf("", "%d", &number));
    char word[4] = "";
    UNKNOWN(sscanf("word", "%2s", word));
    UNKNOWN(word[0]);
    CHECK(word[3]);
    UNDEFINED(sscanf("word", "%4s", word));
    UNDEFINED(sscanf(nothing, "%d", &number));
    END;
}
