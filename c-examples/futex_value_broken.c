// expect: unsafe
// reason: A wait whose time is over fails, too, with another error than one for a word that has changed.
// size: small
// optimised: same
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static unsigned word = 1;

int main(void) {
    struct timespec limit = {1, 0};
    errno = 0;
    long result = syscall(SYS_futex, &word, FUTEX_WAIT, 1, &limit);
    assert(result == 0 || errno == EAGAIN);
    return 0;
}
