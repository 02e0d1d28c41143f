// functions: __sigsetjmp _longjmp _setjmp longjmp siglongjmp
#include <setjmp.h>

#include "check.h"

/* setjmp is a macro for _setjmp, and sigsetjmp one for __sigsetjmp. */
static jmp_buf place;
static sigjmp_buf other;

static void leave(int depth, int result)
{
    if (depth > 0)
        leave(depth - 1, result);
    longjmp(place, result);
}

static int attempt(int result)
{
    volatile int times = 0;
    int returned = setjmp(place);
    times++;
    if (returned == 0)
        leave(2, result);
    return 10 * returned + times;
}

static int in_turn(void)
{
    volatile int sum = 0;
    int returned = sigsetjmp(other, 1);
    sum = 10 * sum + returned;
    if (returned < 3)
        siglongjmp(other, returned + 1);
    return sum;
}

static int inner(void)
{
    volatile int count = 0;
    jmp_buf own;
    if (_setjmp(own) == 0) {
        count = attempt(4);
        _longjmp(own, 1);
    }
    return count;
}

static void *keep(void *unused)
{
    if (setjmp(place) != 0)
        return &place;
    return unused;
}

int main(void)
{
    CHECK(attempt(5));
    CHECK(attempt(0));
    CHECK(attempt(-1));
    CHECK(in_turn());
    CHECK(inner());
    keep(0);
    UNDEFINED(longjmp(place, 1));
    UNDEFINED(({ jmp_buf never; longjmp(never, 1); 0; }));
    UNDEFINED(result_of(keep) + (longjmp(place, 1), 0));
    END;
}
