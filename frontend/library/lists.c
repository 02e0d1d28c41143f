/* The next value of a list of arguments, which is changed. */
#include <stdarg.h>

int __mazurka_next_int(va_list *list)
{
    return va_arg(*list, int);
}

long long __mazurka_next_long(va_list *list)
{
    return va_arg(*list, long long);
}

void *__mazurka_next_pointer(va_list *list)
{
    return va_arg(*list, void *);
}

double __mazurka_next_real(va_list *list)
{
    return va_arg(*list, double);
}
