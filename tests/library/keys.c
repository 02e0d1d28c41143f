// functions: pthread_key_create pthread_key_delete pthread_setspecific pthread_getspecific
#include "check.h"

static pthread_key_t key, other;
static int object;

THREAD(own_value, pthread_getspecific(key) != 0)
THREAD(set_own_value, pthread_setspecific(key, &key) + (pthread_getspecific(key) != &key))

int main(void)
{
    UNDEFINED(pthread_getspecific(key));
    CHECK(pthread_setspecific(key, &object));
    CHECK(pthread_key_delete(key));
    CHECK(pthread_setspecific(5000, &object));
    CHECK(pthread_key_delete(5000));

    CHECK(pthread_key_create(&key, 0));
    CHECK(pthread_getspecific(key) == 0);
    CHECK(pthread_setspecific(key, &object));
    CHECK(pthread_getspecific(key) == &object);
    CHECK(result_of(own_value));
    CHECK(result_of(set_own_value));
    CHECK(pthread_getspecific(key) == &object);
    CHECK(pthread_key_delete(key));
    CHECK(pthread_key_delete(key));
    CHECK(pthread_setspecific(key, &object));
    UNDEFINED(pthread_getspecific(key));
    CHECK(pthread_key_create(&other, 0));
    ONE_OF(other == key, value == 0 || value == 1);
    CHECK(pthread_getspecific(other) == 0);
    END;
}
