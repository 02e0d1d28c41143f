// expect: safe
// reason: A wait for a word that is no longer what the caller saw says so at once, whatever the limit.
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
    long result = syscall(SYS_futex, &word, FUTEX_WAIT, 0, &limit);
    assert(result == -1 && errno == EAGAIN);
    return 0;
}
