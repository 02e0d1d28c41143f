// functions: difftime
#include <time.h>

#include "check.h"

int main(void)
{
    UNKNOWN(difftime(7, 5) > 1.0);
    END;
}
