// functions: pthread_setcanceltype
#include <pthread.h>

#include "check.h"

/* No thread is cancelled here, so the type may be any. */
int main(void)
{
    int old = 7;
    CHECK(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old));
    CHECK(old);
    CHECK(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old));
    CHECK(old);
    CHECK(pthread_setcanceltype(-1, &old));
    CHECK(old);
    pthread_testcancel();
    CHECK(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
    CHECK(old);
    CHECK(pthread_setcancelstate(-1, &old));
    CHECK(old);
    END;
}
