// expect: unsafe
// reason: The read is started before the flag says that it is pending, so its completion may lower the flag before it
//   is raised, and then the reader waits for a completion that has been.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define BLOCK 2

enum status { FINE, END_OF_FILE, FAILED };

extern _Bool __VERIFIER_nondet_bool(void);

struct file {
    unsigned length, position;
    bool is_open;
};

struct request {
    unsigned wanted, transferred;
    enum status status;
};

static unsigned char content[BLOCK], buffer[BLOCK];
static struct file file;
static struct request request;
static atomic_bool is_started;  // the device has a request
static atomic_bool io_pending;  // a request has been made and is not complete
static atomic_bool is_complete; // the completion has been called

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned completions, errors;

static void open_file(struct file *opened, unsigned length) {
    opened->length = length;
    opened->position = 0;
    for (unsigned i = 0; i < BLOCK; i++)
        content[i] = (unsigned char)(i + 1);
    opened->is_open = true;
}

static void close_file(struct file *closed) {
    closed->is_open = false;
    closed->length = 0;
}

static void count(bool is_error) {
    pthread_mutex_lock(&lock);
    completions++;
    if (is_error)
        errors++;
    pthread_mutex_unlock(&lock);
}

// Called by the device when a request is complete.
static void complete(struct request *completed) {
    count(completed->status == FAILED);
    io_pending = false;
    is_complete = true;
}

static unsigned smaller(unsigned a, unsigned b) {
    return a < b ? a : b;
}

static void transfer(struct request *served, struct file *from) {
    if (!from->is_open || __VERIFIER_nondet_bool()) {
        served->status = FAILED;
        return;
    }
    unsigned rest = from->length - from->position;
    if (rest == 0) {
        served->status = END_OF_FILE;
        return;
    }
    unsigned number = smaller(served->wanted, rest);
    for (unsigned i = 0; i < number && i < BLOCK; i++)
        buffer[i] = content[i];
    from->position += number;
    served->transferred = number;
    served->status = FINE;
}

static void *serve(void *unused) {
    while (!is_started) {
    }
    transfer(&request, &file);
    complete(&request);
    return unused;
}

static void prepare(struct request *prepared, unsigned wanted) {
    prepared->wanted = wanted;
    prepared->transferred = 0;
    prepared->status = FINE;
}

// Returns at once; the device calls the completion later.
static void read_asynchronously(void) {
    is_started = true;
}

static void start_read(void) {
    read_asynchronously();
    io_pending = true;
}

static void await_completion(void) {
    while (io_pending)
        // The completion lowers the flag after it was raised.
        assert(!is_complete || !io_pending);
}

static enum status check(const struct request *checked) {
    if (checked->status != FINE)
        return checked->status;
    assert(checked->transferred > 0);
    assert(checked->transferred <= checked->wanted);
    return FINE;
}

static void *read_block(void *unused) {
    prepare(&request, BLOCK);
    start_read();
    await_completion();
    if (check(&request) != FINE)
        assert(request.transferred == 0);
    return unused;
}

int main(void) {
    pthread_t device, reader;
    unsigned length = __VERIFIER_nondet_bool() ? BLOCK : __VERIFIER_nondet_bool();
    open_file(&file, length);
    pthread_create(&device, NULL, serve, NULL);
    pthread_create(&reader, NULL, read_block, NULL);
    pthread_join(reader, NULL);
    pthread_join(device, NULL);
    pthread_mutex_lock(&lock);
    assert(completions == 1);
    assert(errors == (request.status == FAILED));
    pthread_mutex_unlock(&lock);
    close_file(&file);
    return 0;
}
