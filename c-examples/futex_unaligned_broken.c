// expect: unknown
// reason: The word does not lie at a multiple of 4. Linux refuses that, but C gives such an access no meaning.
// size: small
// optimised: same
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned words[2];

int main(void) {
    errno = 0;
    long result = syscall(SYS_futex, (char *)words + 1, FUTEX_WAIT, 0, 0);
    assert(result == -1 && errno == EINVAL);
    return 0;
}
