// functions: raise
#include <signal.h>

#include "check.h"

int main(void)
{
    CHECK(raise(0));
    CHECK(raise(-1));
    CHECK(errno);
    CHECK(raise(65));
    CHECK(raise(SIGCHLD));
    CHECK(raise(SIGWINCH));
    signal(SIGTERM, SIG_IGN);
    CHECK(raise(SIGTERM));
    NEVER_RETURNS(raise(SIGKILL));
    END;
}
