/* One-time initialisation: others wait until the routine has returned. */
#include <pthread.h>

#include "model.h"

enum { NOT_STARTED = 0, RUNNING = 1, DONE = 2 };

int pthread_once(pthread_once_t *control, void (*routine)(void))
{
    int state;
    __VERIFIER_atomic_begin();
    state = *control;
    __mazurka_undefined_unless(state == NOT_STARTED || state == RUNNING || state == DONE);
    if (state == NOT_STARTED)
        *control = RUNNING;
    __VERIFIER_atomic_end();
    if (state == NOT_STARTED) {
        routine();
        *control = DONE;
    } else if (state != DONE) {
        WAIT_UNTIL(*control == DONE);
    }
    return 0;
}
