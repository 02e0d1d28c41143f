// expect: safe
// reason: A character device over memory, in quanta that are found through sets. Everything that reads or changes the
//   device does so with its lock held, so no other thread has marked it or changed its size in between.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define CAPACITY 4 // how many bytes a device has at most
#define SETS 2     // how many sets a device has at most
#define QUANTA 2   // how many quanta a set has at most
#define QUANTUM 2  // how many bytes a quantum has at most

#define ERESTARTSYS (-1)
#define EFAULT (-2)
#define ENOTTY (-3)
#define EINVAL (-4)
#define ENOMEM (-5)
#define EPERM (-6)

enum access_mode { READ_ONLY, WRITE_ONLY, READ_WRITE };
enum whence { FROM_START, FROM_POSITION, FROM_END };
enum command {
    RESET,
    SET_QUANTUM,
    TELL_QUANTUM,
    GET_QUANTUM,
    QUERY_QUANTUM,
    EXCHANGE_QUANTUM,
    SHIFT_QUANTUM,
    SET_QUANTA,
    TELL_QUANTA,
    GET_QUANTA,
    COMMANDS
};

typedef unsigned char byte;

extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct device {
    byte quantum; // how many bytes a quantum has
    byte quanta;  // how many quanta a set has
    byte size;
    int user;     // who is in the critical section
};

struct file {
    byte position;
    enum access_mode mode;
    int owner;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct device device;
static bool has_set[SETS];
static bool has_quantum[CAPACITY];

// Parameters of the module, for data that come after the next trim.
static pthread_mutex_t parameter_lock = PTHREAD_MUTEX_INITIALIZER;
static byte default_quantum = QUANTUM, default_quanta = QUANTA;

static byte smaller(byte a, byte b) {
    return a < b ? a : b;
}

static int lock_device(const struct file *file) {
    if (__VERIFIER_nondet_bool())
        return ERESTARTSYS; // a signal came
    pthread_mutex_lock(&lock);
    device.user = file->owner;
    return 0;
}

static void unlock_device(const struct file *file) {
    assert(device.user == file->owner);
    pthread_mutex_unlock(&lock);
}

// Copies from and to the process fail where its memory is not there. What is copied does not matter here.
static bool copy(byte count) {
    return count == 0 || __VERIFIER_nondet_bool();
}

// Frees all data. The lock is held.
static void trim(void) {
    for (byte i = 0; i < CAPACITY; i++)
        has_quantum[i] = false;
    for (byte i = 0; i < SETS; i++)
        has_set[i] = false;
    device.size = 0;
    pthread_mutex_lock(&parameter_lock);
    device.quantum = default_quantum;
    device.quanta = default_quanta;
    pthread_mutex_unlock(&parameter_lock);
}

// Makes the set with this number if it is not there, and those before it.
static bool follow(byte number) {
    for (byte i = 0; i < SETS && i <= number; i++)
        if (!has_set[i]) {
            if (__VERIFIER_nondet_bool())
                return false; // no memory
            has_set[i] = true;
        }
    return number < SETS;
}

static bool make_quantum(byte number) {
    if (number >= CAPACITY)
        return false;
    if (!has_quantum[number]) {
        if (__VERIFIER_nondet_bool())
            return false; // no memory
        has_quantum[number] = true;
    }
    return true;
}

// Where a position of the device is found.
static byte quantum_of(byte position) {
    return device.quantum == 1 ? position : position / 2;
}

static byte set_of(byte position) {
    byte number = quantum_of(position);
    return device.quanta == 1 ? number : number / 2;
}

static byte rest_of_quantum(byte position) {
    return device.quantum == 1 ? 1 : 2 - position % 2;
}

static int open_device(struct file *file, enum access_mode mode, int owner) {
    file->position = 0;
    file->mode = mode;
    file->owner = owner;
    if (mode != WRITE_ONLY)
        return 0;
    int error = lock_device(file);
    if (error != 0)
        return error;
    trim();
    assert(device.size == 0);
    unlock_device(file);
    return 0;
}

static void release(struct file *file) {
    file->position = 0;
    file->owner = 0;
}

static int read_locked(struct file *file, byte count) {
    byte size = device.size;
    byte start = file->position;
    if (start >= size)
        return 0;
    count = smaller(count, size - start);
    byte number = quantum_of(start);
    if (!follow(set_of(start)) || number >= CAPACITY || !has_quantum[number])
        return 0; // a hole
    // No more than to the end of the quantum.
    count = smaller(count, rest_of_quantum(start));
    if (!copy(count))
        return EFAULT;
    file->position = start + count;
    // No other thread has changed the size since it was read.
    assert(device.size == size);
    return count;
}

static int read_device(struct file *file, byte count) {
    if (file->mode == WRITE_ONLY)
        return EPERM;
    int error = lock_device(file);
    if (error != 0)
        return error;
    int result = read_locked(file, count);
    unlock_device(file);
    return result;
}

static int write_locked(struct file *file, byte count) {
    byte size = device.size;
    byte start = file->position;
    if (!follow(set_of(start)) || !make_quantum(quantum_of(start)))
        return ENOMEM;
    count = smaller(count, rest_of_quantum(start));
    if (!copy(count))
        return EFAULT;
    file->position = start + count;
    // No other thread has changed the size since it was read.
    assert(device.size == size);
    if (size < file->position)
        device.size = file->position;
    return count;
}

static int write_device(struct file *file, byte count) {
    if (file->mode == READ_ONLY)
        return EPERM;
    int error = lock_device(file);
    if (error != 0)
        return error;
    int result = write_locked(file, count);
    unlock_device(file);
    return result;
}

static int seek(struct file *file, int offset, enum whence whence) {
    int position = offset;
    if (whence == FROM_POSITION)
        position += file->position;
    if (whence == FROM_END) {
        int error = lock_device(file);
        if (error != 0)
            return error;
        position += device.size;
        unlock_device(file);
    }
    if (position < 0 || position > CAPACITY)
        return EINVAL;
    file->position = (byte)position;
    return position;
}

static int change_quantum(byte value) {
    if (value == 0 || value > QUANTUM)
        return EINVAL;
    default_quantum = value;
    return 0;
}

static int change_quanta(byte value) {
    if (value == 0 || value > QUANTA)
        return EINVAL;
    default_quanta = value;
    return 0;
}

static int control_locked(enum command command, byte argument, byte *result) {
    byte old = default_quantum;
    switch (command) {
    case RESET:
        default_quantum = QUANTUM;
        default_quanta = QUANTA;
        return 0;
    case SET_QUANTUM:
    case TELL_QUANTUM:
        return change_quantum(argument);
    case GET_QUANTUM:
        *result = default_quantum;
        return 0;
    case QUERY_QUANTUM:
        return default_quantum;
    case EXCHANGE_QUANTUM:
        *result = old;
        return change_quantum(argument);
    case SHIFT_QUANTUM:
        if (change_quantum(argument) != 0)
            return EINVAL;
        return old;
    case SET_QUANTA:
    case TELL_QUANTA:
        return change_quanta(argument);
    case GET_QUANTA:
        *result = default_quanta;
        return 0;
    case COMMANDS:
        return ENOTTY;
    }
    return ENOTTY;
}

static int control(enum command command, byte argument, byte *result) {
    pthread_mutex_lock(&parameter_lock);
    int status = control_locked(command, argument, result);
    assert(default_quantum >= 1 && default_quantum <= QUANTUM);
    assert(default_quanta >= 1 && default_quanta <= QUANTA);
    pthread_mutex_unlock(&parameter_lock);
    return status;
}

static enum command any_command(void) {
    byte number = __VERIFIER_nondet_uchar();
    return number < COMMANDS ? (enum command)number : COMMANDS;
}

static void *writer(void *unused) {
    struct file file;
    byte result = 0;
    control(any_command(), __VERIFIER_nondet_uchar(), &result);
    if (open_device(&file, WRITE_ONLY, 1) != 0)
        return unused;
    if (write_device(&file, 2) > 0)
        write_device(&file, 2);
    release(&file);
    return unused;
}

static void *reader(void *unused) {
    struct file file;
    if (open_device(&file, READ_ONLY, 2) != 0)
        return unused;
    int count = read_device(&file, 2);
    if (count > 0 && seek(&file, -count, FROM_POSITION) >= 0)
        read_device(&file, 2);
    if (seek(&file, 0, FROM_END) >= 0)
        read_device(&file, 2);
    release(&file);
    return unused;
}

int main(void) {
    pthread_t a, b;
    trim();
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
