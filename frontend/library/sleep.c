/* Sleeping takes no time, and no signal ends it. */
#include "error_number.h"
#include "model.h"
#include "timed.h"

int nanosleep(const struct timespec *request, struct timespec *rest)
{
    (void)rest;
    return request->tv_sec >= 0 && is_valid_time(request) ? 0 : fail(INVALID);
}
