/* The error number of each thread. */

static _Thread_local int errno;

int *__errno_location(void)
{
    return &errno;
}
