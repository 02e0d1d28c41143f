// expect: safe
// reason: All threads look at the queue and at the results with the mutex of these held, and wait in loops that look
//   again. Main destroys the queue when all of them have ended.
// size: medium
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define BLOCKS 3 // how many blocks the file has at most
#define PLACES 2 // how many the queue holds
#define CONSUMERS 2

typedef unsigned char byte;

extern unsigned char __VERIFIER_nondet_uchar(void);

// Blocks that have been read and are not compressed, by their numbers.
struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_full, not_empty;
    byte head, count;
    bool is_closed; // nothing is put any more
    bool is_alive;
};

// Blocks that have been compressed and are not written.
struct results {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_alive;
};

static struct queue queue;
static byte places[PLACES];
static struct results results;
static bool is_compressed[BLOCKS];
static byte compressed[BLOCKS];

static byte blocks; // how many the file has
static byte file[BLOCKS];
static byte archive[BLOCKS];

static void check(int error) {
    if (error != 0)
        abort();
}

static void initialise_queue(void) {
    check(pthread_mutex_init(&queue.lock, NULL));
    check(pthread_cond_init(&queue.not_full, NULL));
    check(pthread_cond_init(&queue.not_empty, NULL));
    queue.head = 0;
    queue.count = 0;
    queue.is_closed = false;
    queue.is_alive = true;
}

static void destroy_queue(void) {
    assert(queue.is_closed);
    assert(queue.count == 0);
    queue.is_alive = false;
    check(pthread_cond_destroy(&queue.not_empty));
    check(pthread_cond_destroy(&queue.not_full));
    check(pthread_mutex_destroy(&queue.lock));
}

static void lock_queue(void) {
    assert(queue.is_alive);
    check(pthread_mutex_lock(&queue.lock));
    assert(queue.count <= PLACES);
}

static void unlock_queue(void) {
    check(pthread_mutex_unlock(&queue.lock));
}

static void put(byte block) {
    lock_queue();
    while (queue.count == PLACES)
        check(pthread_cond_wait(&queue.not_full, &queue.lock));
    assert(!queue.is_closed);
    places[(queue.head + queue.count) % PLACES] = block;
    queue.count++;
    check(pthread_cond_signal(&queue.not_empty));
    unlock_queue();
}

static void close_queue(void) {
    lock_queue();
    queue.is_closed = true;
    check(pthread_cond_broadcast(&queue.not_empty));
    unlock_queue();
}

// False if the queue is empty and closed.
static bool take(byte *block) {
    lock_queue();
    while (queue.count == 0 && !queue.is_closed)
        check(pthread_cond_wait(&queue.not_empty, &queue.lock));
    bool is_there = queue.count > 0;
    if (is_there) {
        *block = places[queue.head];
        queue.head = (queue.head + 1) % PLACES;
        queue.count--;
        check(pthread_cond_signal(&queue.not_full));
    }
    unlock_queue();
    return is_there;
}

static void initialise_results(void) {
    check(pthread_mutex_init(&results.lock, NULL));
    check(pthread_cond_init(&results.changed, NULL));
    for (byte i = 0; i < BLOCKS; i++)
        is_compressed[i] = false;
    results.is_alive = true;
}

static void destroy_results(void) {
    results.is_alive = false;
    check(pthread_cond_destroy(&results.changed));
    check(pthread_mutex_destroy(&results.lock));
}

static void lock_results(void) {
    assert(results.is_alive);
    check(pthread_mutex_lock(&results.lock));
}

static void unlock_results(void) {
    check(pthread_mutex_unlock(&results.lock));
}

static void publish(byte block, byte content) {
    lock_results();
    assert(block < blocks);
    // Each block is compressed once.
    assert(!is_compressed[block]);
    compressed[block] = content;
    is_compressed[block] = true;
    check(pthread_cond_signal(&results.changed));
    unlock_results();
}

static byte await(byte block) {
    lock_results();
    while (!is_compressed[block])
        check(pthread_cond_wait(&results.changed, &results.lock));
    byte content = compressed[block];
    unlock_results();
    return content;
}

static void open_file(void) {
    blocks = __VERIFIER_nondet_uchar() % (BLOCKS + 1);
    for (byte i = 0; i < BLOCKS; i++)
        file[i] = (byte)(16 + i);
}

static byte compress(byte content) {
    return (byte)(content >> 4 | content << 4);
}

static byte decompress(byte content) {
    return (byte)(content << 4 | content >> 4);
}

static void produce(void) {
    for (byte i = 0; i < blocks; i++)
        put(i);
    close_queue();
}

static void *consume(void *unused) {
    byte block = 0;
    while (take(&block))
        publish(block, compress(file[block]));
    return unused;
}

// Blocks are written in their order, whichever thread has compressed them.
static void *write_all(void *unused) {
    for (byte i = 0; i < blocks; i++)
        archive[i] = await(i);
    return unused;
}

static pthread_t start(void *(*function)(void *)) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, function, NULL));
    return thread;
}

static void join(pthread_t thread) {
    check(pthread_join(thread, NULL));
}

static void check_archive(void) {
    for (byte i = 0; i < blocks; i++)
        assert(decompress(archive[i]) == file[i]);
}

int main(void) {
    pthread_t consumers[CONSUMERS];
    open_file();
    initialise_queue();
    initialise_results();
    for (byte i = 0; i < CONSUMERS; i++)
        consumers[i] = start(consume);
    pthread_t writer = start(write_all);
    produce();
    for (byte i = 0; i < CONSUMERS; i++)
        join(consumers[i]);
    join(writer);
    destroy_queue();
    destroy_results();
    check_archive();
    return 0;
}
