/* Clean-up handlers. The macros pthread_cleanup_push and pthread_cleanup_pop call these two, and the handler itself where it is popped. */
#include "model.h"

/* How many handlers the thread has pushed; kept up where threads may end by a call. */
static _Thread_local int pushed;

/* The handlers would have to run. */
void __mazurka_thread_exits(void)
{
    if (pushed != 0)
        __mazurka_unsupported("call of `pthread_exit` before clean-up handlers are popped");
}

void __pthread_register_cancel(void *buffer)
{
    (void)buffer;
    if (__mazurka_is_used("__mazurka_thread_exits"))
        pushed++;
}

void __pthread_unregister_cancel(void *buffer)
{
    (void)buffer;
    if (__mazurka_is_used("__mazurka_thread_exits"))
        pushed--;
}
