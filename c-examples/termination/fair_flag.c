// expect: safe
// reason: The other thread raises the flag some time, and it stays up.
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
