// expect: unsafe
// reason: The other thread lowers the flag again, and main may look only before and after.
// options: --property termination --fair
// size: small
// optimised: same
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_bool flag;

static void *raise_flag(void *unused) {
    flag = true;
    flag = false;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, raise_flag, NULL);
    while (!flag) {
    }
    pthread_join(thread, NULL);
    return 0;
}
