// functions: __pthread_register_cancel __pthread_unregister_cancel
#include <pthread.h>

#include "check.h"

/* pthread_cleanup_push calls __pthread_register_cancel(buffer), and pthread_cleanup_pop calls __pthread_unregister_cancel(buffer). */
static int released;

static void release(void *argument)
{
    released += *(int *)argument;
}

static void append(void *argument)
{
    released = 10 * released + *(int *)argument;
}

static void *leave(void *unused)
{
    int one = 1, two = 2;
    pthread_cleanup_push(release, &one);
    pthread_cleanup_push(append, &two);
    pthread_exit(unused);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void)
{
    int one = 1, two = 2;
    pthread_cleanup_push(release, &one);
    pthread_cleanup_push(release, &two);
    CHECK(released);
    pthread_cleanup_pop(1);
    CHECK(released);
    pthread_cleanup_pop(0);
    CHECK(released);
    CHECK(result_of(leave));
    CHECK(released);
    END;
}
