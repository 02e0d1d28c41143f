// functions: pthread_key_create pthread_key_delete pthread_setspecific pthread_getspecific
#include "check.h"

static pthread_key_t key, other;
static int object;

static pthread_key_t last;
static int destroyed;

static void destroy(void *value)
{
    destroyed += value == &object && pthread_getspecific(last) == 0;
    if (destroyed == 1)
        pthread_setspecific(last, value);
}

static void *set_and_leave(void *unused)
{
    pthread_setspecific(last, &object);
    pthread_exit(unused);
}

THREAD(set_last, pthread_setspecific(last, &object))
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

    CHECK(pthread_key_create(&last, destroy));
    CHECK(result_of(set_last));
    CHECK(destroyed);
    CHECK(result_of(set_and_leave));
    CHECK(destroyed);
    CHECK(pthread_setspecific(last, &object));
    CHECK(pthread_key_delete(last));
    CHECK(destroyed);
    END;
}
