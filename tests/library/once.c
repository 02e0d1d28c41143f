// functions: pthread_once
#include "check.h"

static pthread_once_t control = PTHREAD_ONCE_INIT, again = PTHREAD_ONCE_INIT, left = PTHREAD_ONCE_INIT, garbage = 7;
static int runs;

static void routine(void)
{
    runs++;
}

static void recurses(void)
{
    pthread_once(&again, recurses);
}

static void ends_thread(void)
{
    pthread_exit(0);
}

THREAD(first, pthread_once(&control, routine))
THREAD(ends, pthread_once(&left, ends_thread))

int main(void)
{
    UNDEFINED(pthread_once(&garbage, routine));
    NEVER_RETURNS(pthread_once(&again, recurses));
    UNDEFINED(result_of(ends));
    CHECK(result_of(first));
    CHECK(runs);
    CHECK(pthread_once(&control, routine));
    CHECK(runs);
    END;
}
