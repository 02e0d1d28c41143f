// expect: safe
// reason: A driver as of a preprocessed kernel: errors are numbers in the last 4095 addresses, operations are called through a structure,
//   and the lock keeps the two threads apart. Handles have 4 bytes, so LP64 is another program.
// options: --data-model=ILP32 --undefined=arbitrary
// size: small
// optimised: same
typedef unsigned int size_t;
typedef unsigned long int pthread_t;
typedef union {
    char __size[24];
    long int __align;
} pthread_mutex_t;
extern int pthread_create(unsigned int *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned int, void **);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void *malloc(size_t);
extern void free(void *);
extern void abort(void);
extern void reach_error(void);
extern int read_status_register(int);

struct device;
struct operations {
    int (*open)(struct device *);
    void (*close)(struct device *);
};
struct device {
    const struct operations *operations;
    unsigned long users;
};

static inline void *ERR_PTR(long error) {
    return (void *)error;
}
static inline long IS_ERR(const void *pointer) {
    return __builtin_expect(!!((unsigned long)pointer >= (unsigned long)-4095), 0);
}
static inline long PTR_ERR(const void *pointer) {
    return (long)pointer;
}

static pthread_mutex_t lock;

static int device_open(struct device *device) {
    pthread_mutex_lock(&lock);
    device->users++;
    int busy = __extension__({ unsigned long users = device->users; users > 1; });
    if (busy)
        device->users--;
    pthread_mutex_unlock(&lock);
    return busy ? -16 : 0;
}

static void device_close(struct device *device) {
    pthread_mutex_lock(&lock);
    device->users--;
    pthread_mutex_unlock(&lock);
}

static const struct operations operations = {.open = device_open, .close = device_close};

static struct device *probe(void) {
    if (read_status_register(4) < 0)
        return ERR_PTR(-19);
    struct device *device = malloc(sizeof(struct device));
    if (!device)
        return ERR_PTR(-12);
    device->operations = &operations;
    device->users = 0;
    return device;
}

static volatile int inside;

static void *use(void *argument) {
    struct device *device = argument;
    if (device->operations->open(device) == 0) {
        if (inside != 0)
            reach_error();
        inside = 1;
        inside = 0;
        device->operations->close(device);
    }
    return (void *)0;
}

int main(void) {
    unsigned int threads[2];
    struct device *device = probe();
    if (IS_ERR(device)) {
        long error = PTR_ERR(device);
        if (error != -19 && error != -12)
            reach_error();
        return 1;
    }
    pthread_create(&threads[0], (const void *)0, use, device);
    pthread_create(&threads[1], (const void *)0, use, device);
    pthread_join(threads[0], (void **)0);
    pthread_join(threads[1], (void **)0);
    if (device->users != 0)
        reach_error();
    free(device);
    return 0;
}
