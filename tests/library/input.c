// functions: fgets fgetc getc getchar _IO_getc scanf __isoc99_scanf __isoc23_scanf fscanf __isoc99_fscanf __isoc23_fscanf
#include <stdio.h>

#include "check.h"

int __isoc99_scanf(const char *, ...);
int __isoc99_fscanf(FILE *, const char *, ...);

/* A C library of 2023 has them, and others may not. */
#ifdef NATIVE
#define __isoc23_scanf scanf
#define __isoc23_fscanf fscanf
#define _IO_getc getc
#else
int __isoc23_scanf(const char *, ...);
int __isoc23_fscanf(FILE *, const char *, ...);
int _IO_getc(FILE *);
#endif

int main(void)
{
    char line[4] = "abc", word[4] = "xyz";
    char *nowhere = 0;
    int number = 7;
    CHECK(fgets(line, 0, stdin) == 0);
    CHECK(line[0]);
    ONE_OF(fgetc(stdin), value >= -1 && value <= 255);
    ONE_OF((getc)(stdin), value >= -1 && value <= 255);
    ONE_OF(_IO_getc(stdin), value >= -1 && value <= 255);
    ONE_OF((getchar)(), value >= -1 && value <= 255);
    ONE_OF(fgets(line, 3, stdin) == 0, value == 0 || value == 1);
    CHECK(line[3]);
    UNDEFINED(fgets(line, 5, stdin) == 0);
    UNDEFINED(fgets(nowhere, 3, stdin) == 0);
    ONE_OF(scanf("%d", &number), value >= -1 && value <= 1);
    ONE_OF(__isoc99_scanf("%d", &number), value >= -1 && value <= 1);
    ONE_OF(__isoc23_scanf("%d", &number), value >= -1 && value <= 1);
    ONE_OF(number, value >= -2147483647 - 1 && value <= 2147483647);
    ONE_OF(fscanf(stdin, "%d %2s", &number, word), value >= -1 && value <= 2);
    ONE_OF(__isoc99_fscanf(stdin, "%2s", word), value >= -1 && value <= 1);
    ONE_OF(__isoc23_fscanf(stdin, "%2s", word), value >= -1 && value <= 1);
    ONE_OF(word[0], value >= -128 && value <= 127 && value != ' ' && value != 10);
    CHECK(word[3]);
    UNDEFINED(scanf("%4s", word));
    UNDEFINED(scanf("%d", (int *)nowhere));
    END;
}
