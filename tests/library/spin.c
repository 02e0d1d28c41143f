// functions: pthread_spin_init pthread_spin_destroy pthread_spin_lock pthread_spin_trylock pthread_spin_unlock
#include "check.h"

static pthread_spinlock_t lock, never;

THREAD(try, pthread_spin_trylock(&lock))
THREAD(unlock, pthread_spin_unlock(&lock))

int main(void)
{
    UNDEFINED(pthread_spin_lock(&never));
    UNDEFINED(pthread_spin_trylock(&never));
    UNDEFINED(pthread_spin_unlock(&never));
    UNDEFINED(pthread_spin_destroy(&never));

    CHECK(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE));
    UNDEFINED(pthread_spin_unlock(&lock));
    CHECK(pthread_spin_lock(&lock));
    CHECK(pthread_spin_trylock(&lock));
    CHECK(result_of(try));
    UNDEFINED(pthread_spin_lock(&lock));
    UNDEFINED(result_of(unlock));
    UNDEFINED(pthread_spin_destroy(&lock));
    UNDEFINED(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE));
    CHECK(pthread_spin_unlock(&lock));
    CHECK(pthread_spin_trylock(&lock));
    CHECK(pthread_spin_unlock(&lock));
    UNDEFINED(pthread_spin_unlock(&lock));
    CHECK(pthread_spin_destroy(&lock));
    UNDEFINED(pthread_spin_lock(&lock));
    UNDEFINED(pthread_spin_trylock(&lock));
    UNDEFINED(pthread_spin_destroy(&lock));
    CHECK(pthread_spin_init(&lock, PTHREAD_PROCESS_SHARED));
    CHECK(result_of(try));
    END;
}
