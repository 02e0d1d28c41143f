// expect: safe
// reason: The preprocessed source has the types of 32-bit Linux: the fourth word of a mutex is its kind, here recursive. In LP64 a
//   mutex is larger and has its kind elsewhere.
// options: --data-model=ILP32
// size: small
// optimised: same
typedef unsigned long int pthread_t;
typedef union {
    char __size[36];
    long int __align;
} pthread_attr_t;
typedef union {
    struct {
        int lock;
        unsigned int count;
        int owner;
        int kind;
        unsigned int users;
        int spins;
    } data;
    char __size[24];
    long int __align;
} pthread_mutex_t;
extern int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);

static pthread_mutex_t lock = {{0, 0, 0, 1, 0, 0}};
static int inside;

static void *enter(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    ((inside == 0) ? (void)0 : __assert_fail("inside == 0", "data_model_recursive_mutex.c", 36, "enter"));
    inside++;
    pthread_mutex_unlock(&lock);
    inside--;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, (pthread_attr_t *)0, enter, (void *)0);
    enter((void *)0);
    pthread_join(thread, (void **)0);
    return 0;
}
