/* How the programs of this folder compare the C library with its models. Each states, line by line, what a call returns or
   leaves behind; `tests/tests/library/` compiles it in two ways.

   Natively (NATIVE, the file RECORDS) a line appends its number and value to the file. For `verify`, VALUE_<line> is the recorded value.
   CASE selects a line that is looked at by itself, 0 for none, -1 for the end of the program. No two checks share a line. */
#ifndef CHECK_H
#define CHECK_H

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef NATIVE

#include <stdio.h>

static inline void record(int line, long value)
{
    int error = errno;
    FILE *file = fopen(RECORDS, "a");
    fprintf(file, "%d %ld\n", line, value);
    fclose(file);
    errno = error;
}

#define CHECK(expression) record(__LINE__, (long)(expression))
#define ONE_OF(expression, allowed)      \
    do {                                 \
        long value = (long)(expression); \
        assert(allowed);                 \
        record(__LINE__, value);         \
    } while (0)
#define UNKNOWN(expression) CHECK(expression)
#define UNDEFINED(expression)
#define NEVER_RETURNS(statement) \
    do {                         \
        if (CASE == __LINE__) {  \
            statement;           \
            record(__LINE__, 0); \
        }                        \
    } while (0)
#define END

#else

#define JOIN(name, line) name##line
#define VALUE(line) JOIN(VALUE_, line)

/* The model gives the value that the native run gave, and no other. */
#define CHECK(expression) assert((long)(expression) == VALUE(__LINE__))

/* The model gives the value of the native run, and others that are `allowed`, a condition on `value`. */
#define ONE_OF(expression, allowed)                           \
    do {                                                      \
        long value = (long)(expression);                      \
        assert(allowed);                                      \
        assert(CASE != __LINE__ || value != VALUE(__LINE__)); \
    } while (0)

/* The model gives any value; no violation counts that depends on it. */
#define UNKNOWN(expression)                                   \
    do {                                                      \
        long value = (long)(expression);                      \
        assert(CASE != __LINE__ || value != VALUE(__LINE__)); \
    } while (0)

/* POSIX gives the call no meaning. What comes behind it is of no interest. */
#define UNDEFINED(expression)   \
    do {                        \
        if (CASE == __LINE__) { \
            (void)(expression); \
            abort();            \
        }                       \
    } while (0)

/* The thread does not go on behind the statement. */
#define NEVER_RETURNS(statement) \
    do {                         \
        if (CASE == __LINE__) {  \
            statement;           \
            assert(0);           \
        }                        \
    } while (0)

/* The end of the program, which it must be able to reach. */
#define END assert(CASE != -1)

#endif

/* A thread that evaluates an expression. */
#define THREAD(name, expression)           \
    static void *name(void *unused)        \
    {                                      \
        (void)unused;                      \
        return (void *)(long)(expression); \
    }

/* What such a thread finds. */
static inline long result_of(void *(*start)(void *))
{
    pthread_t thread;
    void *result = 0;
    pthread_create(&thread, 0, start, 0);
    pthread_join(thread, &result);
    return (long)result;
}

#endif
