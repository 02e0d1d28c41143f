// expect: safe
// reason: A request looks at the flag before it counts itself, so it may be inside a driver that is stopped. What is
//   asserted holds all the same: requests inside are counted, and the driver is stopped after the flag and the event
//   only.
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum status { SUCCESS, REFUSED };

struct device {
    atomic_bool stopping;  // no request is let in from now on
    atomic_bool idle;      // the event that the last one has left
    atomic_bool stopped;   // what a request needs is gone
    atomic_int pending_io; // requests that are inside, and one for the device itself
};

static struct device extension;

static void set_event(struct device *device) {
    device->idle = true;
}

static void wait_for_event(struct device *device) {
    while (!device->idle) {
    }
}

static void decrement_io(struct device *device) {
    int pending = atomic_fetch_sub(&device->pending_io, 1) - 1;
    assert(pending >= 0);
    if (pending == 0)
        set_event(device);
}

static enum status increment_io(struct device *device) {
    if (device->stopping)
        return REFUSED;
    atomic_fetch_add(&device->pending_io, 1);
    return SUCCESS;
}

static void use(struct device *device) {
    // This request is counted, though the driver may be stopped already.
    assert(device->pending_io >= 1);
    assert(!device->stopped || device->stopping);
}

// The worker: a request is let in, or refused.
static void *add(void *argument) {
    struct device *device = argument;
    enum status status = increment_io(device);
    if (status == SUCCESS) {
        use(device);
        decrement_io(device);
    }
    return NULL;
}

static void release_resources(struct device *device) {
    assert(device->stopping && device->idle);
    device->stopped = true;
}

// The thread that stops the driver.
static void *stop(void *argument) {
    struct device *device = argument;
    device->stopping = true;
    decrement_io(device);
    wait_for_event(device);
    release_resources(device);
    return NULL;
}

static void initialise(struct device *device) {
    device->pending_io = 1;
    device->stopping = false;
    device->idle = false;
    device->stopped = false;
}

int main(void) {
    pthread_t worker, stopper;
    initialise(&extension);
    pthread_create(&stopper, NULL, stop, &extension);
    pthread_create(&worker, NULL, add, &extension);
    pthread_join(worker, NULL);
    pthread_join(stopper, NULL);
    assert(extension.stopped);
    return 0;
}
