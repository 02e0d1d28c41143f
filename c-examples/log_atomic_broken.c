// expect: unsafe
// reason: The function that writes the line is no single step, so the line may be seen while it is open.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static int is_open;
static char line[16];

// A function of such a name is one step.
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static void write_line(const char *format, ...) {
    va_list values;
    is_open = 1;
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    is_open = 0;
}

static void *report(void *number) {
    write_line("%ld", (long)number);
    return 0;
}

static void *watch(void *unused) {
    __VERIFIER_atomic_begin();
    assert(!is_open);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t reporter, watcher;
    pthread_create(&reporter, 0, report, (void *)3);
    pthread_create(&watcher, 0, watch, 0);
    pthread_join(reporter, 0);
    pthread_join(watcher, 0);
    return 0;
}
